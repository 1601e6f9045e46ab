import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { TargetName } from './company-file.ts';

/** The names of a row in files and its row numbers in tables. */
interface Entry {
  readonly names: readonly string[];
  readonly numbers: readonly number[];
}

/** The rows that references of one kind can name. */
export interface Target {
  /** Returns the row numbers of a name; undefined when there is none. */
  find(names: readonly string[]): readonly number[] | undefined;
  /** Returns the names of row numbers. */
  nameOf(numbers: readonly unknown[]): readonly string[] | undefined;
  /** Returns all names, for suggestions. */
  all(): readonly string[];
}

/** Translates between the names in files and the row numbers in tables, within one company. */
export interface Directory {
  /** Returns a target, read when it is first needed. */
  load(target: TargetName): Promise<Target>;
  /** Has a target read again, after its rows have changed. */
  forget(target: TargetName): void;
}

export function createDirectory(trx: Kysely<Tables>, companyKey: string): Directory {
  const targets = new Map<TargetName, Target>();
  return {
    async load(name) {
      const target = targets.get(name) ?? createTarget(name, await readEntries(trx, companyKey, name));
      targets.set(name, target);
      return target;
    },
    forget(target) {
      targets.delete(target);
    },
  };
}

/** U+0000 is in no stored value. */
export const textOfKey = (parts: readonly unknown[]): string => parts.join('\0');

function createTarget(name: TargetName, entries: readonly Entry[]): Target {
  // The key of a tag is enough: pay modifiers store no category.
  const numbersOf = (numbers: readonly unknown[]) => textOfKey(name === 'tag' ? numbers.slice(-1) : numbers);
  const byName = new Map(entries.map((entry) => [textOfKey(entry.names), entry]));
  const byNumber = new Map(entries.map((entry) => [numbersOf(entry.numbers), entry]));
  return {
    find: (names) => byName.get(textOfKey(names))?.numbers,
    nameOf: (numbers) => byNumber.get(numbersOf(numbers))?.names,
    all: () => entries.map(({ names }) => names.join(': ')),
  };
}

async function readEntries(trx: Kysely<Tables>, companyKey: string, target: TargetName): Promise<Entry[]> {
  switch (target) {
    case 'category': {
      const rows = await trx
        .selectFrom('tag_categories')
        .select(['Name', 'CategoryKey'])
        .where('CompanyKey', '=', companyKey)
        .execute();
      return rows.map(({ Name, CategoryKey }) => ({ names: [Name], numbers: [CategoryKey] }));
    }
    case 'tag': {
      const rows = await trx
        .selectFrom('tags')
        .innerJoin('tag_categories', 'tag_categories.CategoryKey', 'tags.CategoryKey')
        .where('CompanyKey', '=', companyKey)
        .select(['tag_categories.Name as Category', 'tags.Name', 'tags.CategoryKey', 'TagKey'])
        .execute();
      return rows.map(({ Category, Name, CategoryKey, TagKey }) => ({
        names: [Category, Name],
        numbers: [CategoryKey, TagKey],
      }));
    }
    case 'personLocation': {
      const rows = await trx
        .selectFrom('staff_locations')
        .innerJoin('staff', 'staff.StaffRow', 'staff_locations.StaffRow')
        .innerJoin('locations', 'locations.LocationRow', 'staff_locations.LocationRow')
        .where('staff.CompKey', '=', companyKey)
        .select(['staff.StaffId', 'locations.LocationKey', 'staff.StaffRow', 'locations.LocationRow'])
        .execute();
      return rows.map(({ StaffId, LocationKey, StaffRow, LocationRow }) => ({
        names: [StaffId, LocationKey],
        numbers: [StaffRow, LocationRow],
      }));
    }
    case 'payModifier': {
      const rows = await trx
        .selectFrom('pay_modifiers')
        .innerJoin('staff', 'staff.StaffRow', 'pay_modifiers.StaffRow')
        .where('staff.CompKey', '=', companyKey)
        .select(['staff.StaffId', 'PayModifierKey', 'PayModifierRow'])
        .execute();
      return rows.map(({ StaffId, PayModifierKey, PayModifierRow }) => ({
        names: [StaffId, PayModifierKey],
        numbers: [PayModifierRow],
      }));
    }
    default: {
      const { table, company, key, number } = simpleTargets[target];
      const rows = await trx
        .selectFrom(table)
        .select((eb) => [eb.ref(key as never).as('key'), eb.ref(number as never).as('number')])
        .where(company as never, '=', companyKey as never)
        .execute();
      return (rows as { key: string; number: number }[]).map((row) => ({ names: [row.key], numbers: [row.number] }));
    }
  }
}

const simpleTargets = {
  task: { table: 'tasks', company: 'CompanyKey', key: 'TaskKey', number: 'TaskRow' },
  profile: { table: 'profiles', company: 'CompanyKey', key: 'ProfileKey', number: 'ProfileRow' },
  location: { table: 'locations', company: 'CompanyKey', key: 'LocationKey', number: 'LocationRow' },
  limit: { table: 'request_limits', company: 'CompanyKey', key: 'Key', number: 'LimitRow' },
  person: { table: 'staff', company: 'CompKey', key: 'StaffId', number: 'StaffRow' },
} as const;
