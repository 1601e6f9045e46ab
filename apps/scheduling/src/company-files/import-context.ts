import type { SqlFlavour } from '../store/sql-flavour.ts';
import type { Unit } from '../store/unit-of-work.ts';
import type { CompanyFile } from './company-file.ts';
import { type Directory, textOfKey } from './directory.ts';
import type { FileFault } from './file-value.ts';

/** A fault with its file. Its line is 0 for a fault of the whole file, such as a row that it lacks. */
export interface PlacedFault extends FileFault {
  /** The name of the file. */
  readonly file: string;
  readonly isJson: boolean;
}

/** The faults of all files of an import: the first ones, and the number of the others. */
export interface FaultList {
  readonly listed: readonly PlacedFault[];
  readonly count: number;
  /** Whether further faults are only counted, so that their details need no search for similar names. */
  readonly isFull: boolean;
  add(fault: PlacedFault): void;
}

export function createFaultList(max: number): FaultList {
  const listed: PlacedFault[] = [];
  let count = 0;
  return {
    listed,
    get count() {
      return count;
    },
    get isFull() {
      return listed.length >= max;
    },
    add(fault) {
      count++;
      if (listed.length < max) listed.push(fault);
    },
  };
}

/** What the files of one import share. */
export interface ImportContext {
  readonly unit: Unit;
  readonly flavour: SqlFlavour;
  readonly newKey: () => string;
  readonly pause: () => Promise<void>;
  readonly directory: Directory;
  readonly faults: FaultList;
  /** Names of invalid rows by target: rows that refer to them are no further faults. */
  readonly invalid: {
    has(target: string, names: readonly string[]): boolean;
    add(target: string, names: readonly string[]): void;
  };
  /** Row numbers of people that this import has added. */
  readonly added: Set<number>;
  /** Keys of the people that this import has removed. */
  readonly removed: Set<string>;
  /** Names of the changed properties by row number of a person, for the audit. */
  readonly changes: Map<number, Set<string>>;
  /** Rows of the company's files that have changed, by the column that links people to them. */
  readonly changedRows: Map<LinkColumn, Set<number>>;
}

export type LinkColumn = 'CategoryKey' | 'TaskRow' | 'ProfileRow' | 'LocationRow' | 'LimitRow';

export interface FileCounts {
  readonly file: string;
  readonly rows: number;
  readonly bad: number;
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly removed: number;
}

/** The keys of the rows of one file, for repeated rows and for the rows to remove. */
export type SeenKeys = Map<string, number>;

export const keyOfRow = ({ key }: CompanyFile, row: Readonly<Record<string, unknown>>): string =>
  textOfKey(key.map((column) => row[column]));

export function createInvalidNames(): ImportContext['invalid'] {
  const names = new Set<string>();
  const keyOf = (target: string, parts: readonly string[]) => JSON.stringify([target, ...parts]);
  return {
    has: (target, parts) => names.has(keyOf(target, parts)),
    add: (target, parts) => void names.add(keyOf(target, parts)),
  };
}

/** Notes a changed property of a person. */
export function noteChange({ changes }: ImportContext, staffRow: number, names: Iterable<string>): void {
  let noted = changes.get(staffRow);
  if (noted === undefined) {
    noted = new Set();
    changes.set(staffRow, noted);
  }
  for (const name of names) noted.add(name);
}
