import { farOff } from '../store/location-tags.ts';
import { placeholder } from '../store/write-staff.ts';
import type { CompanyFile } from './company-file.ts';
import type { ImportContext } from './import-context.ts';

type Row = Readonly<Record<string, unknown>>;

const flags: Readonly<Record<string, boolean>> = {
  ...{ IsActive: true, IsViewable: true, IsIncluded: true },
};

/** A complete new row, or the column that is missing. */
export type CompletedRow = { readonly row: Row } | { readonly missing: string };

/** Returns a function that completes a new row: columns that the file lacks get the defaults of the API. */
export function createRowCompleter(
  { unit, newKey }: ImportContext,
  { name, owner, references, columns, numbers, generated }: CompanyFile,
): (given: Row) => CompletedRow {
  const isStaff = name === 'staff';
  const constants: Row = isStaff
    ? { CompKey: unit.scope.companyKey, LastModifiedDateUtc: unit.stamp }
    : owner === 'company' && references.length === 0
      ? { CompanyKey: unit.scope.companyKey }
      : {};
  const defaults: Row = {
    EffectiveFromDate: `${unit.now.slice(0, 10)}T00:00:00`,
    EffectiveToDate: farOff,
    Credentials: '[]',
    ...(isStaff && { Abbrev: placeholder, FirstName: placeholder, LastName: placeholder }),
  };
  const referring = references.flatMap(({ stored }) => stored.filter((column) => column !== ''));
  // The manager may come later in the file.
  const own = columns.filter(({ name: column }) => !(isStaff && column === 'ManagerId'));
  return (given) => {
    const row: Record<string, unknown> = { ...constants };
    for (const column of referring) row[column] = given[column] ?? null;
    for (const { name: column, stored = column, kind, isNullable } of own) {
      const value = given[stored];
      if (value !== undefined) row[stored] = value;
      else if (defaults[stored] !== undefined) row[stored] = defaults[stored];
      else if (stored === generated) row[stored] = newKey();
      else if (kind === 'flag') row[stored] = unit.flag(flags[stored] ?? false);
      else if (isNullable) row[stored] = null;
      else if (stored !== numbers) return { missing: column };
    }
    return { row };
  };
}
