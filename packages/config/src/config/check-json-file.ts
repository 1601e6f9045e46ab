import { didYouMean, suggestField } from '@rostergate/server/problem';
import type { z } from 'zod';
import { ConfigError, faultAt, fieldName } from './config-error.ts';
import type { JsonFile } from './json-file.ts';

/**
 * Returns the value of a JSON file as its schema types it, frozen. Names that begin with `_`, and `$schema`, are
 * ignored; any other unknown name is a fault.
 * @throws ConfigError with every fault and its place in the file.
 */
export function checkJsonFile<S extends z.ZodType>(schema: S, file: JsonFile): Readonly<z.output<S>> {
  const { value, unknown } = dropUnknownNames(schema, file.value);
  const faults = unknown.map(({ path, detail }) => faultAt(file.locate(path, 'key'), fieldName(path), detail));
  const result = schema.safeParse(value);
  for (const issue of result.error?.issues ?? []) {
    faults.push(faultAt(file.locate(issue.path), fieldName(issue.path), describeIssue(schema, issue, value)));
  }
  if (result.success && faults.length === 0) return freezeDeep(result.data);
  faults.sort((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0));
  throw new ConfigError(faults);
}

/** A name that is not in the schema, and the fault to report. */
export interface UnknownName {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/**
 * Returns a copy of a value from a file without notes for people and editors (names that begin with `_`, `$schema`),
 * and without names that are not in its schema, which it returns apart.
 */
export function dropUnknownNames(schema: z.core.$ZodType, value: unknown): { value: unknown; unknown: UnknownName[] } {
  const unknown: UnknownName[] = [];
  return { value: walk(schema, value, [], unknown), unknown };
}

function walk(schema: z.core.$ZodType, value: unknown, path: UnknownName['path'], found: UnknownName[]): unknown {
  const { def } = inspectField(schema);
  if (def.type === 'array' && Array.isArray(value)) {
    return value.map((entry, i) => walk(def.element as z.core.$ZodType, entry, [...path, i], found));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const branch = branchFor(schema, 'object');
  if (branch !== undefined) return walk(branch, value, path, found);
  const shape = shapeOf(schema);
  if (def.type === 'record') {
    const entries = Object.entries(value);
    const inner = def.valueType as z.core.$ZodType;
    return Object.fromEntries(entries.map(([name, entry]) => [name, walk(inner, entry, [...path, name], found)]));
  }
  if (shape === undefined) return value;
  const known: [string, unknown][] = [];
  for (const [name, entry] of Object.entries(value)) {
    if (name.startsWith('_') || name === '$schema') continue;
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (inner !== undefined) known.push([name, walk(inner, entry, [...path, name], found)]);
    else {
      const hint = suggestField(name, Object.keys(shape), nestedNames(shape));
      found.push({ path: [...path, name], detail: `There is no such field.${hint}` });
    }
  }
  return Object.fromEntries(known);
}

/** Returns the fields of nested objects, such as `upstream.timeout_ms`. */
function nestedNames(shape: Readonly<Record<string, z.core.$ZodType>>): string[] {
  return Object.entries(shape).flatMap(([name, inner]) =>
    Object.keys(shapeOf(inner) ?? {}).map((field) => `${name}.${field}`),
  );
}

/** Freezes plain objects and arrays recursively; other values (dates, maps, functions) stay as they are. */
export function freezeDeep<T>(value: T): Readonly<T> {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const inner of Object.values(value)) freezeDeep(inner);
  return Object.freeze(value);
}

/**
 * Describes an issue: the schema's message, the given value and the description of the field. It never contains the
 * value of a secret field, nor a message that might quote one.
 */
export function describeIssue(schema: z.core.$ZodType, issue: z.core.$ZodIssue, input: unknown): string {
  const given = issue.path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    input,
  );
  const union = schemaAt(schema, issue.path);
  const field = union && (branchFor(union, typeof given) ?? union);
  const isSecret = isSecretAt(schema, issue.path) || (field !== undefined && inspectField(field).isSecret);
  const { description, patternMessage } = field === undefined ? {} : inspectField(field);
  const isPattern = issue.code === 'invalid_format' && issue.format === 'regex';
  const parts = [
    given === undefined && issue.code === 'invalid_type'
      ? 'It is required.'
      : toSentence(
          isPattern && patternMessage !== undefined ? `It ${patternMessage}` : messageOf(issue, given, isSecret),
        ),
    isSecret ? '' : showGiven(given),
    issue.code === 'invalid_type' && typeof given === 'string' ? formHint(issue.expected, given, isSecret) : '',
    issue.code === 'invalid_value' && typeof given === 'string' && !isSecret
      ? didYouMean(
          given,
          issue.values.filter((value) => typeof value === 'string'),
        ).trim()
      : '',
    description === undefined ? '' : toSentence(description),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns how to write a string that was given in place of a number, a boolean or a list. */
function formHint(expected: string, given: string, isSecret: boolean): string {
  if (expected === 'array') return 'Write a list, as in ["…"].';
  const isBare = expected === 'boolean' ? /^(true|false)$/ : /^-?\d+(\.\d+)?$/;
  const isForm = expected === 'boolean' || expected === 'number' || expected === 'int';
  return isForm && !isSecret && isBare.test(given) ? 'Write it without quotes.' : '';
}

function messageOf(issue: z.core.$ZodIssue, given: unknown, isSecret: boolean): string {
  const branches = issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => first?.message ?? []) : [];
  const whole = branches.length === 0 ? issue.message : [...new Set(branches)].join(', or ');
  const message = whole.replaceAll(/Invalid (input|option): e/g, 'e').replace(/^e/, 'E');
  const mayQuote = isSecret && (typeof given !== 'string' || (given !== '' && message.includes(given)));
  return mayQuote ? 'The value is not valid.' : message;
}

/**
 * Quotes short scalars, for the reader to recognise the value. It omits text that may be a URL with a user or a query,
 * even a malformed one: they may contain a password or a key.
 */
function showGiven(given: unknown): string {
  if (given === undefined || (typeof given === 'object' && given !== null)) return '';
  if (typeof given === 'string' && mayContainSecret(given)) return '';
  const text = JSON.stringify(given);
  return text.length > 80 ? '' : `Given: ${text}.`;
}

function mayContainSecret(text: string): boolean {
  const slash = text.indexOf('/');
  return text.includes('@') || (slash >= 0 && text.includes('?', slash));
}

function toSentence(text: string): string {
  const whole = text.trim().replaceAll(/\s+/g, ' ');
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** A schema without its wrappers, and the metadata found on them. */
interface FieldSchema {
  readonly core: z.core.$ZodType;
  readonly def: z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
  readonly description: string | undefined;
  /** Marked with `meta({ secret: true })`: the value is never shown. */
  readonly isSecret: boolean;
  /** What its pattern requires, in words. */
  readonly patternMessage: string | undefined;
}

const wrappers = new Set(['default', 'prefault', 'optional', 'nullable', 'nonoptional', 'readonly', 'catch']);

/** Returns the schema of the input, inside defaults, optionals and pipes. */
export function inspectField(schema: z.core.$ZodType): FieldSchema {
  let core = schema;
  let description: string | undefined;
  let isSecret = false;
  let patternMessage: string | undefined;
  for (;;) {
    const meta = metaOf(core);
    description ??= meta?.description;
    isSecret ||= meta?.secret === true;
    patternMessage ??= meta?.patternMessage;
    const def = core._zod.def as FieldSchema['def'];
    if (wrappers.has(def.type)) core = def.innerType as z.core.$ZodType;
    else if (def.type === 'pipe') core = def.in as z.core.$ZodType;
    else return { core, def, description, isSecret, patternMessage };
  }
}

/** Returns the fields of an object schema; undefined for other schemas and for one that accepts unknown names. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const { def } = inspectField(schema);
  if (def.type !== 'object') return undefined;
  const rest = def.catchall as z.core.$ZodType | undefined;
  const acceptsUnknown = rest !== undefined && rest._zod.def.type !== 'never';
  return acceptsUnknown ? undefined : (def.shape as Record<string, z.core.$ZodType>);
}

/** Returns the schema at a path of names and indexes; undefined where there is none. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let current: z.core.$ZodType | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    const { def } = inspectField(branchFor(current, 'object') ?? current);
    if (def.type === 'object') {
      const shape = def.shape as Record<PropertyKey, z.core.$ZodType>;
      current = Object.hasOwn(shape, step) ? shape[step] : undefined;
    } else if (def.type === 'array') current = def.element as z.core.$ZodType;
    else if (def.type === 'record') current = def.valueType as z.core.$ZodType;
    else return undefined;
  }
  return current;
}

/** Returns the branch of a union for values of a kind: `string` or `object`; undefined unless there is exactly one. */
function branchFor(union: z.core.$ZodType, kind: string): z.core.$ZodType | undefined {
  const options = (inspectField(union).def.options ?? []) as readonly z.core.$ZodType[];
  const fitting = options.filter((option) => inspectField(option).def.type === kind);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether a field, or an object that contains it, is marked as secret. */
function isSecretAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  return path.some((_, i) => {
    const inner = schemaAt(schema, path.slice(0, i + 1));
    return inner !== undefined && inspectField(inner).isSecret;
  });
}

interface FieldMeta {
  readonly description?: string | undefined;
  readonly secret?: unknown;
  readonly patternMessage?: string | undefined;
}

function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  return (schema as unknown as { meta?: () => FieldMeta | undefined }).meta?.();
}
