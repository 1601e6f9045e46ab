import type { z } from 'zod';
import { inspectField, shapeOf } from './field-schema.ts';

/** A copy of settings that may be shown: the values of fields marked as secret say only whether there is one. */
export function redactSettings(
  schema: z.ZodObject,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return redact(schema, settings) as Record<string, unknown>;
}

function redact(schema: z.core.$ZodType, value: unknown): unknown {
  const { def, isSecret } = inspectField(schema);
  if (value === undefined || value === null) return value;
  if (isSecret) return value === '' || (Array.isArray(value) && value.length === 0) ? value : '[secret]';
  if (def.type === 'array' && Array.isArray(value)) {
    return value.map((entry) => redact(def.element as z.core.$ZodType, entry));
  }
  const shape = shapeOf(schema);
  if (shape === undefined || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = shape[name];
      return [name, field === undefined ? inner : redact(field, inner)];
    }),
  );
}
