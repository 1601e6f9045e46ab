import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { didYouMean } from '@rostergate/server/problem';
import { companyFiles } from './company-file.ts';
import type { FoundFile } from './import-file.ts';
import { openCompanyFile } from './read-company-file.ts';

/**
 * Returns the files of a company in a folder: CSV or JSON files with the names of the format. Others than those two
 * kinds are ignored.
 * @throws Error that says what to do, for an unknown name, two files of one name, or none
 */
export async function findCompanyFiles(folder: string): Promise<FoundFile[]> {
  const known = new Map(companyFiles.map((file) => [file.name, file]));
  const found = new Map<string, FoundFile>();
  for (const name of (await readdir(folder)).sort()) {
    const [, stem = ''] = /^(.*)\.(?:csv|json)$/.exec(name) ?? [];
    if (stem === '') continue;
    const path = join(folder, name);
    const file = known.get(stem);
    if (file === undefined) {
      const guess = didYouMean(stem, [...known.keys()]) || ` The names are ${[...known.keys()].join(', ')}.`;
      throw new CompanyFolderError(
        `${path}: There is no file of this name in the format. Rename or remove it.${guess}`,
      );
    }
    const other = found.get(stem);
    if (other !== undefined) {
      throw new CompanyFolderError(`${path}: ${other.name} has the same rows. Remove one of the two files.`);
    }
    found.set(stem, { file, name: path, isJson: name.endsWith('.json'), open: () => openCompanyFile(path, file) });
  }
  if (found.size > 0) return [...found.values()];
  throw new CompanyFolderError(
    `${folder}: The folder has no file to import, such as tags.csv or staff.json. The command export writes all of them.`,
  );
}

/** The folder does not have the files of a company. */
export class CompanyFolderError extends Error {}
