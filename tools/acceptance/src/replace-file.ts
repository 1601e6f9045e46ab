import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes a file in one step, as editors do: a server that watches it never reads a part of it. */
export async function replaceFile(file: string, text: string, mode = 0o644): Promise<void> {
  const fresh = join(dirname(file), `.${basename(file)}.new`);
  await writeFile(fresh, text, { mode });
  await rename(fresh, file);
}
