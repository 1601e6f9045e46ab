import { parseJsonNumber } from '@rostergate/server';
import type { z } from 'zod';
import { inspectField } from './field-schema.ts';

/**
 * Converts text from the environment or the command line to the type of the schema: numbers, booleans, JSON for arrays
 * and objects, comma-separated lists for arrays. It returns other text unchanged, for the schema to reject.
 */
export function parseTextValue(schema: z.core.$ZodType, text: string): unknown {
  const { def } = inspectField(schema);
  switch (def.type) {
    case 'number':
    case 'int':
      return parseJsonNumber(text.trim()) ?? text;
    case 'boolean':
      return booleans.get(text.trim().toLowerCase()) ?? text;
    case 'null':
      return text.trim() === 'null' ? null : text;
    case 'array':
      return text.trim().startsWith('[') ? parseJson(text) : parseList(def.element as z.core.$ZodType, text);
    case 'object':
    case 'record':
    case 'tuple':
      return parseJson(text);
    case 'union':
      return parseUnion(def.options as readonly z.core.$ZodType[], text);
    default:
      return text;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((text) => [text, true] as const),
  ...['false', 'no', 'off', '0'].map((text) => [text, false] as const),
]);

function parseList(element: z.core.$ZodType, text: string): unknown[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map((entry) => parseTextValue(element, entry));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the first conversion that one of the options accepts. */
function parseUnion(options: readonly z.core.$ZodType[], text: string): unknown {
  for (const option of options) {
    const value = parseTextValue(option, text);
    if ((option as z.ZodType).safeParse(value).success) return value;
  }
  return text;
}
