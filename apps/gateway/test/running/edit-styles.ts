import { mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts a text into a file that a server follows, in one of the ways that editors and orchestrators have. */
export type Edit = (path: string, text: string) => Promise<void>;

/** Whole at once: nobody ever sees half of it. */
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

/** As a cluster mounts configuration: files are links through `..data`, a link to a folder, which alone is replaced. */
export async function swapFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const version = `..${process.hrtime.bigint()}`;
  await mkdir(join(folder, version));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, version, name), text);
  await symlink(version, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
}
