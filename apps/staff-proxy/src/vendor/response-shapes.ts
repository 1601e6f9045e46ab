import type { OpenApiDocument } from '@rostergate/runtime/contract';

/** A value as a schema of the contract has it; `undefined` where nothing is to be said. */
export type Shape = (value: unknown) => unknown;

/** The part of a schema (OpenAPI 3.0, Schema Object) that says what a value looks like. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly writeOnly?: boolean;
  readonly items?: SchemaObject;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
}

/**
 * Makes answers that mean what the contract means look like it: members that the schema does not have, or that are only
 * ever written, are left out; numbers become text where text is said, null an empty array where there is no null, and
 * dates get or lose the offset. What does not mean the same stays as it is, for the checks of answers to find.
 */
export function createShape(document: OpenApiDocument, schema: SchemaObject): Shape {
  const named = new Map<string, Shape>();

  // Nothing in the contract contains itself.
  function shapeOf(given: SchemaObject): Shape {
    const { $ref, type, nullable = false } = given;
    if ($ref !== undefined) {
      const shape = named.get($ref) ?? shapeOf(resolveSchema(document, $ref));
      named.set($ref, shape);
      return shape;
    }
    if (type === 'array') return createArrayShape(shapeOf(given.items ?? {}), nullable ? null : []);
    if (type === 'object') return given.properties === undefined ? (value) => value : objectShape(given.properties);
    const shape: Shape = type === 'string' ? createTextShape(given) : (value) => value;
    return (value) => (value === null ? (nullable ? null : undefined) : shape(value));
  }

  function objectShape(properties: Readonly<Record<string, SchemaObject>>): Shape {
    const shapes = new Map(
      Object.entries(properties).flatMap(([name, schema]) => (schema.writeOnly ? [] : [[name, shapeOf(schema)]])),
    );
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const shaped: Record<string, unknown> = {};
      for (const [name, member] of Object.entries(value)) {
        const said = shapes.get(name)?.(member);
        if (said !== undefined) shaped[name] = said;
      }
      return shaped;
    };
  }

  return shapeOf(schema);
}

/** The schema that a reference such as `#/components/schemas/StaffTag` stands for. */
function resolveSchema({ components }: OpenApiDocument, $ref: string): SchemaObject {
  const found = components?.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`The contract has no ${$ref}.`);
  return found as SchemaObject;
}

function createArrayShape(item: Shape, none: [] | null): Shape {
  return (value) => (Array.isArray(value) ? value.map(item) : (value ?? none));
}

const endsInOffset = /(?:Z|[+-]\d\d:\d\d)$/;

function createTextShape({ format, pattern }: SchemaObject): Shape {
  const fits = pattern === undefined ? undefined : new RegExp(pattern);
  return (value) => {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return text;
    if (format === 'date-time' && /T[\d:.]+$/.test(text)) return `${text}Z`;
    return fits === undefined || fits.test(text) ? text : text.replace(endsInOffset, '');
  };
}
