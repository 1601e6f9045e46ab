import { mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a text to a watched file like an editor or orchestrator. */
export type Edit = (path: string, text: string) => Promise<void>;

/** Replaces the file atomically. */
export const renameOver: Edit = async (path, text) => {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
};

export const editStyles: Readonly<Record<string, Edit>> = {
  'in place': (path, text) => writeFile(path, text),
  'in place, with the time of an old file': async (path, text) => {
    await writeFile(path, text);
    await utimes(path, 1_000_000_000, 1_000_000_000);
  },
  'by rename': renameOver,
  'moved away and written anew': async (path, text) => {
    await rename(path, `${path}~`);
    await writeFile(path, text);
    await unlink(`${path}~`);
  },
  'deleted and written anew': async (path, text) => {
    await unlink(path);
    await writeFile(path, text);
  },
  'by a link that is pointed elsewhere': async (path, text) => {
    const target = `${path}.${process.hrtime.bigint()}`;
    await writeFile(target, text);
    await rm(`${path}.link`, { force: true });
    await symlink(target, `${path}.link`);
    await rename(`${path}.link`, path);
  },
};

/** Mounts configuration like Kubernetes: files are links through `..data`, a link to a folder, which is replaced. */
export async function swapFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const version = `..${process.hrtime.bigint()}`;
  await mkdir(join(folder, version));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, version, name), text);
  await symlink(version, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
}
