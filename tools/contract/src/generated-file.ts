import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { rootFolder } from './workspace.ts';

/** Line 1 of every generated file whose format has comments. */
export function generatedBy(source: string): string {
  return `Written by tools/contract from ${source}. Do not edit: run \`pnpm generate\`.`;
}

/** Writes a generated file, leaving one that is already right untouched, and says which of the two it was. */
export function writeGenerated(path: string, text: string): void {
  const isCurrent = readIfThere(path) === text;
  if (!isCurrent) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log(`${isCurrent ? 'unchanged' : 'written  '} ${relative(rootFolder, path)}`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
