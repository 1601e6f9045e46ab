import { document } from '@rostergate/staff-spec';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { RosterBody, TagName } from '../store/roster-store.ts';
import type { RowFault } from './csv-records.ts';
import { personSchema, type RosterHeader } from './roster-header.ts';

export interface ParsedRow {
  readonly line: number;
  readonly body: RosterBody;
  readonly tags: readonly TagName[];
  readonly profiles: readonly string[];
  readonly faults: readonly RowFault[];
}

export type ReadRow = (line: number, cells: readonly string[]) => ParsedRow;

/** Returns the parser of the rows below a header. An empty cell changes nothing. */
export function createRowReader({ columns, width }: RosterHeader, delimiter: string): ReadRow {
  const check = createChecks();
  const columnOf = new Map(columns.map(({ name, index }) => [name, index + 1]));
  return (line, cells) => {
    const faults: RowFault[] = [];
    const fault = (name: string, detail: string) => faults.push({ line, column: columnOf.get(name), name, detail });
    const body: Record<string, unknown> = {};
    let tags: readonly TagName[] = [];
    let profiles: readonly string[] = [];
    let isStorable = true;
    if (cells.length !== width) {
      const detail = `The row has ${cells.length} cells, and the first line has ${width}.`;
      return { line, body: {} as RosterBody, tags, profiles, faults: [{ line, name: '', detail }] };
    }
    for (const { index, name, kind } of columns) {
      const text = (cells[index] as string).trim();
      if (text === '') continue;
      if (text.includes('\0')) {
        fault(name, 'The cell contains the character U+0000, which cannot be stored.');
        isStorable = false;
      } else if (kind === 'tags') tags = readTags(text, check.tag, (detail) => fault(name, detail));
      else if (kind === 'profiles') profiles = splitList(text);
      else body[name] = readValue(text, name, delimiter);
    }
    // A value that cannot be stored is missing from the body, which is no further fault.
    if (isStorable) for (const { name, detail } of check.person(body)) fault(name, detail);
    return { line, body: body as RosterBody, tags, profiles, faults };
  };
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'no', 'n', '0'].map((text) => [text, false] as const),
]);

/** Text that is not a number or flag stays text, so that the contract rejects it. */
function readValue(text: string, name: string, delimiter: string): unknown {
  switch (personSchema.properties[name]?.type) {
    case 'number': {
      // Without commas as delimiter, a comma may be the decimal sign.
      const plain = delimiter === ',' ? text : text.replace(/^([-+]?\d+),(\d+)$/, '$1.$2');
      const value = /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
      return Number.isFinite(value) ? value : text;
    }
    case 'boolean':
      return flags.get(text.toLowerCase()) ?? text;
    default:
      return text;
  }
}

/** Parses `Category: Name; Category: Name`, or with `|` where semicolons delimit the columns. */
function readTags(text: string, check: Check, fault: (detail: string) => void): TagName[] {
  return splitList(text).flatMap((part) => {
    const [, category = '', name = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
    const tag = { category: category.trim(), name: name.trim() };
    if (tag.category !== '' && tag.name !== '') {
      const faults = check(tag);
      for (const found of faults) fault(`The ${found.name} of a tag: ${found.detail}`);
      return faults.length === 0 ? [tag] : [];
    }
    fault(`Write tags as “Category: Name; Category: Name”, not ${quote(part)}.`);
    return [];
  });
}

function splitList(text: string): string[] {
  return [...new Set(text.split(/[;|]/).map((part) => part.trim()))].filter((part) => part !== '');
}

type Check = (body: object) => readonly { readonly name: string; readonly detail: string }[];

/** Compiles the contract's schemas. */
function createChecks(): { readonly person: Check; readonly tag: Check } {
  const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true, verbose: true });
  formats.default(ajv, { mode: 'fast' });
  ajv.addSchema({ components: document.components }, 'contract');
  const checkBy = (schema: string): Check => {
    const validate = ajv.compile({ $ref: `contract#/components/schemas/${schema}` });
    return (body) => (validate(body) ? [] : (validate.errors ?? []).flatMap(describeError));
  };
  return { person: checkBy('StaffMemberCreate'), tag: checkBy('StaffTagCreate') };
}

function describeError({ instancePath, keyword, params, message, data, schema }: ErrorObject) {
  const name = keyword === 'required' ? String(params.missingProperty) : instancePath.slice(1);
  if (keyword === 'required') return [{ name, detail: 'The cell is empty, and a person needs this value.' }];
  // The PIN is never shown.
  const given = name === 'TimeClockKioskPIN' ? '' : ` Given: ${quote(String(data))}.`;
  return [{ name, detail: `${words(keyword, schema, message)}${given}` }];
}

function words(keyword: string, schema: unknown, message = 'is not valid'): string {
  if (keyword === 'type' && String(schema).includes('number')) return 'It must be a number, such as 0.8.';
  if (keyword === 'type' && String(schema).includes('boolean')) return 'It must be true or false.';
  if (keyword === 'maxLength') return `It must have at most ${schema} characters.`;
  if (keyword === 'pattern') return 'It must be a date, such as 2026-01-31 or 2026-01-31T08:00:00.';
  if (keyword === 'format') return 'It must be a time with its offset, such as 2026-01-31T08:00:00Z.';
  return `It ${message}.`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
