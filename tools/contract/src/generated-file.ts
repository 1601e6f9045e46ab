import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { rootFolder } from './workspace.ts';

/** Line 1 of every generated file whose format has comments. */
export function generatedBy(source: string): string {
  return `Written by tools/contract from ${source}. Do not edit: run \`pnpm generate\`.`;
}

/** Writes a generated file and says so; one that is already right stays untouched. */
export function writeGenerated(path: string, text: string): void {
  if (readIfThere(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`written: ${relative(rootFolder, path)}`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
