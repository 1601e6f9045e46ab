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
    const { def } = inspectField(current);
    if (def.type === 'object') current = (def.shape as Record<string, z.core.$ZodType>)[String(step)];
    else if (def.type === 'array') current = def.element as z.core.$ZodType;
    else if (def.type === 'record') current = def.valueType as z.core.$ZodType;
    else return undefined;
  }
  return current;
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
