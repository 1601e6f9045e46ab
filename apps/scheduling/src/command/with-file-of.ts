import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
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
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-stdin-'));
  // Whatever ends the process: it holds what people have typed in confidence.
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    const path = join(folder, 'stdin');
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    clean();
    process.off('exit', clean);
  }
}
