import { differingNames } from '../store/body-checks.ts';
import type { CompanyFile } from './company-file.ts';
import { readCompanyRows, readPeopleRows } from './company-rows.ts';
import type { Target } from './directory.ts';
import { type ImportContext, keyOfRow } from './import-context.ts';

type Row = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
  readonly detail: string;
}

/** The stored rows that the rows of a file are compared with. */
export interface ExistingRows {
  /** Returns a function for the stored row of a given one, or what is wrong with its name. */
  find(given: readonly Row[]): Promise<(row: Row) => Row | string | undefined>;
  /** Returns the columns that a row changes, or why it cannot. */
  changeOf(found: Row, row: Row): { readonly names: readonly string[]; readonly fault?: Named };
  /** Returns why a new row cannot be added. */
  conflictOf(row: Row): Named | undefined;
  /** Returns the person that a row belongs to. */
  personOf(row: Row): number | undefined;
}

export async function readExistingRows(
  context: ImportContext,
  file: CompanyFile,
  people: Target,
): Promise<ExistingRows> {
  const { unit, directory, added } = context;
  const { trx, scope } = unit;
  const modifiers = file.owner === 'PayModifierRow' ? await directory.load('payModifier') : undefined;
  const staffKeys = file.name === 'staff' ? await readStaffKeys(context) : new Set<string>();
  const unchanging = new Set([...file.key, ...(file.numbers === undefined ? [] : [file.numbers]), 'ManagerId']);

  function personOf(row: Row): number | undefined {
    if (modifiers === undefined) return Number(row.StaffRow);
    const [staffId] = modifiers.nameOf([row.PayModifierRow]) ?? [];
    return staffId === undefined ? undefined : people.find([staffId])?.[0];
  }

  const ofCompany = file.owner === 'company' ? await readCompanyRows(trx, scope.companyKey, file) : [];
  const byKey = new Map(ofCompany.map((row) => [keyOfRow(file, row), row]));
  const byName = Map.groupBy(ofCompany, (row) => row.Name);

  function findByName(row: Row): Row | string | undefined {
    const same = byName.get(row.Name) ?? [];
    if (same.length < 2) return same[0];
    return `The company has ${same.length} of this name. Add the column ${file.generated} to distinguish them.`;
  }

  return {
    async find(given) {
      if (file.owner === 'company') {
        return (row) =>
          file.generated !== undefined && row[file.generated] === undefined
            ? findByName(row)
            : byKey.get(keyOfRow(file, row));
      }
      const rows = given.flatMap((row) =>
        file.name === 'staff' ? (people.find([String(row.StaffId)]) ?? []) : [personOf(row) ?? -1],
      );
      const known = [...new Set(rows)].filter((row) => !added.has(row));
      // New people have no stored rows.
      if (known.length === 0) return () => undefined;
      const stored = new Map((await readPeopleRows(trx, known, file)).map((row) => [keyOfRow(file, row), row]));
      return (row) => stored.get(keyOfRow(file, row));
    },
    changeOf(found, row) {
      if (file.name === 'staff' && row.StaffKey !== undefined && row.StaffKey !== found.StaffKey) {
        const detail = `The person has the StaffKey ${JSON.stringify(found.StaffKey)}, which cannot change. Remove the value.`;
        return { names: [], fault: { name: 'StaffKey', detail } };
      }
      return { names: differingNames(found, row).filter((name) => !unchanging.has(name)) };
    },
    conflictOf({ StaffKey }) {
      if (file.name !== 'staff' || typeof StaffKey !== 'string') return undefined;
      if (staffKeys.has(StaffKey))
        return { name: 'StaffKey', detail: 'Another person has this key. Remove the value.' };
      staffKeys.add(StaffKey);
      return undefined;
    },
    personOf,
  };
}

async function readStaffKeys({ unit: { trx, scope } }: ImportContext): Promise<Set<string>> {
  const rows = await trx.selectFrom('staff').select('StaffKey').where('CompKey', '=', scope.companyKey).execute();
  return new Set(rows.map(({ StaffKey }) => StaffKey));
}

/** Adds the condition that finds one row. */
export function whereKey<T extends { where(column: never, operator: '=', value: never): T }>(
  query: T,
  { key, numbers }: CompanyFile,
  row: Row,
): T {
  const columns = numbers === undefined ? key : [numbers];
  return columns.reduce((built, column) => built.where(column as never, '=', row[column] as never), query);
}
