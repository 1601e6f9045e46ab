import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Works with the file that was named; by `-`, with what stands on stdin, kept for as long as the work takes. */
export async function withFileOf<T>(
  named: string,
  stdin: NodeJS.ReadableStream,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (named !== '-') return work(named);
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-stdin-'));
  try {
    const path = join(folder, 'stdin');
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
