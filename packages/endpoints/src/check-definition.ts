import { describeIssue, dropUnknownNames } from '@rostergate/config';
import type { z } from 'zod';
import type { Report } from './configuration-schema.ts';
import { isObject } from './json-pointer.ts';

/** Returns the parsed value without notes; reports every fault and returns undefined when it is invalid. */
export function checkDefinition<S extends z.ZodObject>(
  schema: S,
  given: unknown,
  report: Report,
): z.output<S> | undefined {
  // Fast path for valid values: reporting faults costs several times as much.
  const quick = schema.safeParse(withoutNotes(given));
  if (quick.success) return quick.data;
  const { value, unknown } = dropUnknownNames(schema, given);
  for (const { path, detail } of unknown) report(path, detail);
  const parsed = schema.safeParse(value);
  for (const issue of parsed.error?.issues ?? []) report(issue.path, describeIssue(schema, issue, value));
  return unknown.length === 0 ? parsed.data : undefined;
}

/** Removes `$schema` and the keys that begin with `_`, which are notes for people and editors. */
function withoutNotes(value: unknown): unknown {
  if (!isObject(value) || !Object.keys(value).some(isNote)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isNote(key)));
}

function isNote(key: string): boolean {
  return key.startsWith('_') || key === '$schema';
}
