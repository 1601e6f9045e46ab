import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));

/** Returns the errors of the compiler for files of a folder in `node_modules`, with the options of this package. */
export async function compileFiles(folder: string, files: readonly string[]): Promise<string> {
  const config = { extends: '../../tsconfig.json', include: [], files };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => error);
  return stdout;
}
