import { suggestField } from '@rostergate/server/problem';
import type { z } from 'zod';
import { ConfigError, faultAt, fieldName } from './config-error.ts';
import { describeIssue } from './describe-issue.ts';
import { inspectField, shapeOf } from './field-schema.ts';
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
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    faults.push(faultAt(file.locate(path), fieldName(path), describeIssue(schema, issue, value)));
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
