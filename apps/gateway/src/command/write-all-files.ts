import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '@rostergate/config/command';

export interface NewFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

/** Returns the paths of files that exist already. */
export function existingFiles(folder: string, files: readonly NewFile[]): string[] {
  const exists = (path: string) => fs.lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined;
  return files.map(({ path }) => path).filter(exists);
}

/**
 * Writes all of the files or none: they are written to a temporary folder, moved into place one by one, and moved back if
 * one fails. Existing files are replaced. Synchronous, so that no signal is handled in between.
 */
export function writeAllFiles(folder: string, files: readonly NewFile[]): void {
  const made = makeFolders(folder);
  const stage = fs.mkdtempSync(join(folder, '.rostergate-init-'));
  const undo: (() => void)[] = made === undefined ? [] : [() => fs.rmSync(made, { recursive: true, force: true })];
  try {
    files.forEach((file, i) => {
      stageFile(join(stage, `new-${i}`), file);
    });
    files.forEach(({ path }, i) => {
      const target = join(folder, path);
      const madeFolder = makeFolders(dirname(target));
      if (madeFolder !== undefined) undo.push(() => fs.rmSync(madeFolder, { recursive: true, force: true }));
      if (fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined) {
        const backup = join(stage, `old-${i}`);
        fs.renameSync(target, backup);
        undo.push(() => fs.renameSync(backup, target));
      }
      fs.renameSync(join(stage, `new-${i}`), target);
      undo.push(() => fs.rmSync(target, { force: true }));
    });
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

function stageFile(path: string, { text, mode }: NewFile): void {
  const file = fs.openSync(path, 'wx', mode ?? 0o666);
  try {
    if (mode !== undefined) fs.fchmodSync(file, mode);
    fs.writeFileSync(file, text);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
