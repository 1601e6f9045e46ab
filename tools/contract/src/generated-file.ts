import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rootFolder } from './workspace.ts';

/** Returns the text of the first line of generated files. */
export function generatedBy(source: string): string {
  return `Written by tools/contract from ${source}. Do not edit: run \`pnpm generate\`.`;
}

/** Writes a generated file and reports it. An unchanged file is not written. */
export function writeGenerated(path: string, text: string): void {
  if (readIfThere(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`written: ${relative(rootFolder, path)}`);
}

/** Writes the files of a generated folder and removes all others, except `others`, which other tasks write. */
export function writeGeneratedFolder(
  folder: string,
  files: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): void {
  for (const [file, text] of Object.entries(files)) writeGenerated(join(folder, file), text);
  for (const file of readdirSync(folder)) {
    if (file in files || others.includes(file)) continue;
    rmSync(join(folder, file), { recursive: true });
    console.log(`removed: ${relative(rootFolder, join(folder, file))}`);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
