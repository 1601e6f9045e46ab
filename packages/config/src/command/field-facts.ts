/** The keywords of a JSON Schema (draft 2020-12, draft 7 or OpenAPI 3.0) that describe a field. */
export interface FieldSchemaObject {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: FieldSchemaObject;
  readonly anyOf?: readonly FieldSchemaObject[];
  readonly oneOf?: readonly FieldSchemaObject[];
  readonly nullable?: boolean;
}

/** A field described in words, the same in `--help` and in the documentation. */
export interface FieldFacts {
  /** `integer`, `text`, `true or false`, `one of a, b`, `list of text`, … */
  readonly type: string;
  /** `0 to 65535`, `at least 1`, `up to 128 characters`; empty without any. */
  readonly bounds: string;
  /** As JSON; undefined without a default. */
  readonly default: string | undefined;
  readonly description: string;
}

/** Describes a field from its schema. */
export function describeField(schema: FieldSchemaObject): FieldFacts {
  return {
    type: describeType(schema),
    bounds: describeBounds(schema),
    default: schema.default === undefined ? undefined : JSON.stringify(schema.default),
    description: (schema.description ?? '').trim().replaceAll(/\s+/g, ' '),
  };
}

const typeNames: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false', null: 'null' };

function describeType(schema: FieldSchemaObject): string {
  const { type, items, format, enum: values } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values !== undefined) return `one of ${values.map((value) => String(value)).join(', ')}`;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return [...new Set(branches.map(describeType))].join(' or ');
  if (Array.isArray(type)) return type.map((name) => describeType({ ...schema, type: name })).join(' or ');
  const name = String(type ?? 'value');
  const whole =
    name === 'array'
      ? `list of ${items === undefined ? 'values' : describeType(items)}`
      : format === 'date-time'
        ? 'time'
        : (typeNames[name] ?? name);
  return schema.nullable === true ? `${whole} or null` : whole;
}

function describeBounds(schema: FieldSchemaObject): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  // zod adds the bounds of a safe integer to every integer: they are omitted.
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const parts = [
    describeRange(low, high, ''),
    // Most texts must not be empty.
    describeRange(minLength === 1 ? undefined : minLength, maxLength, ' characters'),
    describeRange(minItems, maxItems, ' entries'),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function describeRange(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? '' : `up to ${high}${unit}`;
}
