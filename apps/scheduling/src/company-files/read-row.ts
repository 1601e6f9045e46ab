import { didYouMean } from '@rostergate/server/problem';
import type { CompanyFile, Reference } from './company-file.ts';
import type { Target } from './directory.ts';
import { readValue } from './file-value.ts';
import type { ImportContext } from './import-context.ts';
import type { FileRow } from './read-company-file.ts';

export interface ParsedRow {
  readonly line: number;
  /** Columns of the table that the file gives. */
  readonly given: Readonly<Record<string, unknown>>;
}

interface ReaderOptions {
  readonly file: CompanyFile;
  readonly context: ImportContext;
  readonly targets: ReadonlyMap<string, Target>;
  readonly fault: (line: number, name: string, detail: string) => void;
}

/** Returns a function that reads a row; it returns undefined, and reports every fault, when the row is invalid. */
export function createRowReader({ file, context, targets, fault }: ReaderOptions) {
  const { flag } = context.unit;

  function readReference(reference: Reference, { line, values }: FileRow, given: Record<string, unknown>): boolean {
    const { to, names, stored, isOptional = false } = reference;
    const parts = names.map((name) => values[name]);
    const empty = parts.findIndex((part) => part === undefined || part === null || part === '');
    if (empty >= 0) {
      if (isOptional && parts.every((part) => part === undefined)) return true;
      if (isOptional && parts.every((part) => part === undefined || part === null)) {
        for (const column of stored) if (column !== '') given[column] = null;
        return true;
      }
      fault(line, names[empty] as string, 'The cell is empty, and the row needs this value.');
      return false;
    }
    const wrong = parts.findIndex((part) => typeof part !== 'string');
    if (wrong >= 0) {
      fault(line, names[wrong] as string, 'It must be text.');
      return false;
    }
    const texts = parts as string[];
    const numbers = targets.get(to)?.find(texts);
    if (numbers === undefined) {
      if (!context.invalid.has(to, texts)) {
        const named = texts.join(': ');
        const known = targets.get(to)?.all() ?? [];
        const isCompared = !context.faults.isFull && known.length <= comparedMax;
        const guess = (isCompared && didYouMean(named, known)) || ` Add it to ${homes[to]}.`;
        fault(line, names.at(-1) as string, `The company has no ${nouns[to]} ${JSON.stringify(named)}.${guess}`);
      }
      return false;
    }
    for (const [i, column] of stored.entries()) if (column !== '') given[column] = numbers[i];
    return true;
  }

  const isIdentifying = (stored: string, name: string) => file.key.includes(stored) || name === file.generated;

  return (row: FileRow): ParsedRow | undefined => {
    const { line, values } = row;
    if (row.fault !== undefined) {
      fault(line, '', row.fault);
      return undefined;
    }
    const given: Record<string, unknown> = {};
    let isValid = true;
    for (const reference of file.references) isValid = readReference(reference, row, given) && isValid;
    for (const column of file.columns) {
      const { name, stored = name } = column;
      const value = values[name];
      const isAbsent = value === undefined || (value === null && (name === file.generated || stored === file.numbers));
      if (isAbsent) {
        if (!file.key.includes(stored) || name === file.generated) continue;
        fault(line, name, 'The value is missing, and it identifies the row.');
        isValid = false;
        continue;
      }
      const read = readValue(value, column, flag);
      if ('stored' in read && !(read.stored === '' && isIdentifying(stored, name))) given[stored] = read.stored;
      else {
        fault(line, name, 'detail' in read ? read.detail : 'The value is empty, and it identifies the row.');
        isValid = false;
      }
    }
    return isValid ? { line, given } : undefined;
  };
}

/** Among more names, none is suggested: each comparison costs a microsecond or two. */
const comparedMax = 5_000;

const nouns: Readonly<Record<Reference['to'], string>> = {
  ...{ category: 'tag category', tag: 'tag', task: 'task', profile: 'profile', location: 'location' },
  ...{ limit: 'request limit', person: 'person', personLocation: 'location of a person', payModifier: 'pay modifier' },
};
const homes: Readonly<Record<Reference['to'], string>> = {
  ...{ category: 'tag-categories', tag: 'tags', task: 'tasks', profile: 'profiles', location: 'locations' },
  ...{ limit: 'request-limits', person: 'staff', personLocation: 'staff-locations', payModifier: 'pay-modifiers' },
};
