import type { OpenApiDocument, OperationObject } from '@rostergate/server';

/** The shape of an operation's successful response. */
export interface ResponseShape {
  /** Whether the response is a list of values of `shape`, bare or in an envelope. */
  readonly isList: boolean;
  readonly shape: Shape;
}

/** Returns the response shapes of these operations, by operationId. */
export function createResponseShapes(
  document: OpenApiDocument,
  operationIds: readonly string[],
  unknownMembers: UnknownMembers,
): ReadonlyMap<string, ResponseShape> {
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter((value): value is OperationObject => operationIds.includes(value?.operationId)),
  );
  return new Map(
    operations.map((operation) => {
      const { type, items = {}, ...schema } = successOf(operation);
      const isList = type === 'array';
      const one = isList ? items : { ...schema, ...(type !== undefined && { type }) };
      return [operation.operationId as string, { isList, shape: createShape(document, one, unknownMembers) }];
    }),
  );
}

interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema?: SchemaObject }>>;
}

function successOf({ operationId, responses = {} }: OperationObject): SchemaObject {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = (success as ResponseObject | undefined)?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`The contract has no successful response for ${operationId}.`);
  return schema;
}

/** What happens to members of an object that its schema lacks. */
export type UnknownMembers = 'drop' | 'keep';

/** Returns a value in the form of a schema; `undefined` to leave it out. */
export type Shape = (value: unknown) => unknown;

/** The used part of a Schema Object (OpenAPI 3.0). */
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
 * Returns a function that converts equivalent values to the schema: leaves out write-only members, and unknown ones unless
 * they are kept, turns numbers into text and null into an empty array where the schema says so, and adds or removes the
 * offset of dates. Other values stay unchanged, for the response checks to report.
 */
export function createShape(document: OpenApiDocument, schema: SchemaObject, unknownMembers: UnknownMembers): Shape {
  const named = new Map<string, Shape>();

  // No schema of the contract is recursive.
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
      Object.entries(properties).map(([name, schema]) => [name, schema.writeOnly ? leaveOut : shapeOf(schema)]),
    );
    // Assigned, it would set the prototype.
    if (unknownMembers === 'keep') shapes.set('__proto__', leaveOut);
    const shapeUnknown = unknownMembers === 'keep' ? keepAsIs : leaveOut;
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const shaped: Record<string, unknown> = {};
      for (const [name, member] of Object.entries(value)) {
        const converted = (shapes.get(name) ?? shapeUnknown)(member);
        if (converted !== undefined) shaped[name] = converted;
      }
      return shaped;
    };
  }

  return shapeOf(schema);
}

const leaveOut: Shape = () => undefined;
const keepAsIs: Shape = (value) => value;

/** Returns the schema of a reference such as `#/components/schemas/StaffTag`. */
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
