import { didYouMean } from '@rostergate/server/problem';
import { document } from '@rostergate/staff-spec';
import { entityOf, staffMemberType } from '../entity-model.ts';
import { RosterError, type RowFault } from './csv-records.ts';

export interface RosterColumn {
  /** From 0. */
  readonly index: number;
  readonly name: string;
  readonly kind: 'field' | 'tags' | 'profiles';
}

export interface RosterHeader {
  readonly columns: readonly RosterColumn[];
  readonly width: number;
  /** Columns that are ignored, because they are derived from others. */
  readonly ignored: readonly string[];
}

/** The contract's schema of a new person. */
export const personSchema = document.components?.schemas?.StaffMemberCreate as {
  readonly properties: Readonly<Record<string, { readonly type?: string; readonly $ref?: string }>>;
};

const lists = { Tags: 'tags', Profiles: 'profiles' } as const;
/** Derived from ManagerId. */
const derived = 'Manager';
const fields = Object.keys(personSchema.properties).filter((name) => name !== 'UpdateIfExisting' && name !== derived);
const known = [...fields, ...Object.keys(lists)];
const byLowerCase = new Map([...known, derived].map((name) => [name.toLowerCase(), name]));
const givenOut = new Set(entityOf(staffMemberType).names.map((name) => name.toLowerCase()));

/**
 * Reads the header: names of the contract in any letter case.
 * @throws RosterError with every fault
 */
export function readHeader(cells: readonly string[], line: number): RosterHeader {
  const faults: RowFault[] = [];
  const columns: RosterColumn[] = [];
  const ignored: string[] = [];
  const seen = new Map<string, number>();
  for (const [index, cell] of cells.entries()) {
    const given = cell.trim();
    const name = byLowerCase.get(given.toLowerCase());
    const fault = (detail: string) => faults.push({ line, column: index + 1, name: given, detail });
    if (given === '') fault('The column has no name. Name it, or remove it.');
    else if (name === undefined) fault(describeUnknown(given));
    else if (seen.has(name)) fault(`Column ${seen.get(name)} already has this name.`);
    else if (name === derived) ignored.push(name);
    else columns.push({ index, name, kind: name in lists ? lists[name as keyof typeof lists] : 'field' });
    if (name !== undefined && !seen.has(name)) seen.set(name, index + 1);
  }
  if (!seen.has('StaffId')) {
    faults.push({ line, name: 'StaffId', detail: 'The first line must contain the column names, StaffId included.' });
  }
  if (faults.length > 0) throw new RosterError(faults);
  return { columns, width: cells.length, ignored };
}

function describeUnknown(given: string): string {
  if (givenOut.has(given.toLowerCase()))
    return 'The server sets this field, so it cannot be imported. Remove the column.';
  return `There is no such field.${didYouMean(given, known) || ' Remove the column.'}`;
}
