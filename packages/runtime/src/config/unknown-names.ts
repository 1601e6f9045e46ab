import type { z } from 'zod';
import { suggestField } from './did-you-mean.ts';
import { inspectField, shapeOf } from './field-schema.ts';

/** A name no schema knows, and what to say of it. */
export interface UnknownName {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/**
 * A copy of a value from a file without what is there for people and editors (names that begin with `_`, `$schema`),
 * and without names its schema does not know, which are reported.
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
  const kept: [string, unknown][] = [];
  for (const [name, entry] of Object.entries(value)) {
    if (name.startsWith('_') || name === '$schema') continue;
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (inner !== undefined) kept.push([name, walk(inner, entry, [...path, name], found)]);
    else {
      const hint = suggestField(name, Object.keys(shape), nestedNames(shape));
      found.push({ path: [...path, name], detail: `There is no such field.${hint}` });
    }
  }
  return Object.fromEntries(kept);
}

/** Fields of the objects inside, such as `upstream.timeout_ms`. */
function nestedNames(shape: Readonly<Record<string, z.core.$ZodType>>): string[] {
  return Object.entries(shape).flatMap(([name, inner]) =>
    Object.keys(shapeOf(inner) ?? {}).map((field) => `${name}.${field}`),
  );
}
