import { parseJsonNumber } from '@rostergate/server';
import type { z } from 'zod';

/** A schema without its wrappers, and the metadata found on them. */
export interface FieldSchema {
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
export function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const { def } = inspectField(schema);
  if (def.type !== 'object') return undefined;
  const rest = def.catchall as z.core.$ZodType | undefined;
  const acceptsUnknown = rest !== undefined && rest._zod.def.type !== 'never';
  return acceptsUnknown ? undefined : (def.shape as Record<string, z.core.$ZodType>);
}

/** Returns the schema at a path of names and indexes; undefined where there is none. */
export function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let current: z.core.$ZodType | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    const { def } = inspectField(branchFor(current, 'object') ?? current);
    if (def.type === 'object') current = (def.shape as Record<string, z.core.$ZodType>)[String(step)];
    else if (def.type === 'array') current = def.element as z.core.$ZodType;
    else if (def.type === 'record') current = def.valueType as z.core.$ZodType;
    else return undefined;
  }
  return current;
}

/** Returns the branch of a union for values of a kind: `string` or `object`; undefined unless there is exactly one. */
export function branchFor(union: z.core.$ZodType, kind: string): z.core.$ZodType | undefined {
  const options = (inspectField(union).def.options ?? []) as readonly z.core.$ZodType[];
  const fitting = options.filter((option) => inspectField(option).def.type === kind);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether a field, or an object that contains it, is marked as secret. */
export function isSecretAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
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
