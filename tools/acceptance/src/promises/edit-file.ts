import { rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';

/** Puts a text into a file that a server follows, in one of the ways that editors and orchestrators have. */
export type Edit = (path: string, text: string) => Promise<void>;

/** Whole at once: nobody ever sees half of it. */
export const renameOver: Edit = async (path, text) => {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
};

export const editStyles: Readonly<Record<string, Edit>> = {
  'in place': (path, text) => writeFile(path, text),
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
