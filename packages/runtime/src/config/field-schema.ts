import type { z } from 'zod';

/** A schema with its wrappers taken off, and what was said of it on the way. */
export interface FieldSchema {
  readonly core: z.core.$ZodType;
  readonly def: z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
  readonly description: string | undefined;
  /** Marked with `meta({ secret: true })`: the value must never be shown. */
  readonly isSecret: boolean;
  /** What its pattern asks for, in words. */
  readonly patternMessage: string | undefined;
}

const wrappers = new Set(['default', 'prefault', 'optional', 'nullable', 'nonoptional', 'readonly', 'catch']);

/** Looks through defaults, optionals and pipes to the schema that says what the input is. */
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

/** The fields of an object schema, by name; undefined for any other schema and for one that takes unknown names. */
export function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const { def } = inspectField(schema);
  if (def.type !== 'object') return undefined;
  const rest = def.catchall as z.core.$ZodType | undefined;
  const takesUnknown = rest !== undefined && rest._zod.def.type !== 'never';
  return takesUnknown ? undefined : (def.shape as Record<string, z.core.$ZodType>);
}

/** The schema at a path of names and indexes; undefined where the path leaves what schemas tell. */
export function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let current: z.core.$ZodType | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    const { def } = inspectField(current);
    if (def.type === 'object') current = (def.shape as Record<string, z.core.$ZodType>)[String(step)];
    else if (def.type === 'array') current = def.element as z.core.$ZodType;
    else if (def.type === 'record') current = def.valueType as z.core.$ZodType;
    else return undefined;
  }
  return current;
}

/** Whether a field, or anything around it, is marked as secret. */
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
