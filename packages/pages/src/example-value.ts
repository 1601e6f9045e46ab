import { type OpenApiDocument, resolveReference } from '@rostergate/server';

/** The members of a schema that an example follows from. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** Schemas may contain themselves, and many others. */
const [depthMax, schemasMax] = [5, 30];

/** Returns the example of a schema, or one that its type allows. An object has its required members. */
export function exampleValueOf(document: OpenApiDocument, given: unknown): unknown {
  let left = schemasMax;
  return exampleOf(given, 0);

  function exampleOf(given: unknown, depth: number): unknown {
    const schema = resolveReference<Schema>(document, (given ?? {}) as Schema);
    const known = schema.example ?? schema.default ?? schema.enum?.[0];
    if (known !== undefined) return known;
    const { properties, required = [], allOf = [], type } = schema;
    const isLast = depth === depthMax || left-- <= 0;
    const chosen = schema.oneOf?.[0] ?? schema.anyOf?.[0];
    if (chosen !== undefined && !isLast) return exampleOf(chosen, depth + 1);
    if (properties !== undefined || allOf.length > 0 || type === 'object') {
      if (isLast) return {};
      const inherited = allOf.map((part) => exampleOf(part, depth + 1));
      const own = required.map((name) => [name, exampleOf(properties?.[name], depth + 1)] as const);
      return Object.assign({}, ...inherited, Object.fromEntries(own));
    }
    if (type === 'array') return isLast ? [] : [exampleOf(schema.items, depth + 1)];
    if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
    return type === 'boolean' ? true : (textOfFormat[schema.format ?? ''] ?? 'text');
  }
}

const textOfFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ann@example.com',
  uri: 'https://example.com',
  uuid: '018f4e5a-7c3b-7d2e-9a1f-0b2c3d4e5f60',
};
