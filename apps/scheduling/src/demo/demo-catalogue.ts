import type { Kysely } from 'kysely';
import { type CompanyFile, companyFiles } from '../company-files/company-file.ts';
import { readCompanyRows } from '../company-files/company-rows.ts';
import { type ImportDeps, importWithin } from '../company-files/import-company.ts';
import { openCompanyRows } from '../company-files/read-company-file.ts';
import type { Row, Tables } from '../store/tables.ts';
import locationTags from './company/location-tags.json' with { type: 'json' };
import locations from './company/locations.json' with { type: 'json' };
import profiles from './company/profiles.json' with { type: 'json' };
import requestLimits from './company/request-limits.json' with { type: 'json' };
import shiftCredits from './company/shift-credits.json' with { type: 'json' };
import tagCategories from './company/tag-categories.json' with { type: 'json' };
import tags from './company/tags.json' with { type: 'json' };
import tasks from './company/tasks.json' with { type: 'json' };
import { createRandom } from './random.ts';

/** The files of the demo company, in the format of the command `import`. */
const files = {
  ...{ tags, tasks, profiles, locations, 'tag-categories': tagCategories, 'location-tags': locationTags },
  ...{ 'request-limits': requestLimits, 'shift-credits': shiftCredits },
};

/** What the tags of a category are for. Those of all other categories are for people. */
const purposes: Readonly<Record<string, 'timeClock' | 'location' | 'task' | 'pay'>> = {
  ...{ 'Time Clock': 'timeClock', Region: 'location', Facility: 'location' },
  ...{ 'Shift type': 'task', Differential: 'pay' },
};

/** The stored rows that people refer to. */
export interface DemoCatalogue {
  readonly tags: Record<'staff' | 'timeClock' | 'location' | 'task' | 'pay', Row<'tags'>[]>;
  readonly tasks: readonly Row<'tasks'>[];
  readonly profiles: readonly Row<'profiles'>[];
  readonly locations: readonly Row<'locations'>[];
  readonly limits: readonly Row<'request_limits'>[];
}

/** Imports the files into a company without rows. The first company has the keys of the files, every other its own. */
export async function importDemoCatalogue(
  trx: Kysely<Tables>,
  deps: ImportDeps,
  { companyKey, nth }: { readonly companyKey: string; readonly nth: number },
): Promise<DemoCatalogue> {
  const given = nth === 0 ? files : withKeysOf(nth);
  const found = companyFiles.flatMap((file) => {
    const rows = (given as Readonly<Record<string, readonly unknown[]>>)[file.name];
    return rows === undefined ? [] : [{ file, name: file.name, isJson: true, open: () => openCompanyRows(rows, file) }];
  });
  await importWithin(trx, deps, {
    scope: { companyKey, isAdmin: true, account: 'seed', requestId: 'seed', operation: 'seed' },
    ...{ files: found, isReplacing: false, isDryRun: false, isTimed: true, faultsMax: 1, onProgress: () => {} },
  });
  const read = (name: keyof typeof files) =>
    readCompanyRows(trx, companyKey, companyFiles.find((file) => file.name === name) as CompanyFile);
  const catalogue = {
    tags: { staff: [], timeClock: [], location: [], task: [], pay: [] } as DemoCatalogue['tags'],
    tasks: (await read('tasks')) as Row<'tasks'>[],
    profiles: (await read('profiles')) as Row<'profiles'>[],
    locations: (await read('locations')) as Row<'locations'>[],
    limits: (await read('request-limits')) as Row<'request_limits'>[],
  };
  const categories = (await read('tag-categories')) as Row<'tag_categories'>[];
  const nameOf = new Map(categories.map(({ CategoryKey, Name }) => [CategoryKey, Name]));
  for (const tag of (await read('tags')) as Row<'tags'>[]) {
    catalogue.tags[purposes[nameOf.get(tag.CategoryKey) ?? ''] ?? 'staff'].push(tag);
  }
  return catalogue;
}

/** Returns the files with other GUIDs, the same for each number of a company. */
function withKeysOf(nth: number): typeof files {
  const random = createRandom(`keys of company ${nth}`);
  const own = new Map<string, string>();
  const text = JSON.stringify(files).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (key) => {
    const known = own.get(key) ?? random.guid();
    own.set(key, known);
    return known;
  });
  return JSON.parse(text) as typeof files;
}
