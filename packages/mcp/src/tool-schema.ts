/** A schema object of OpenAPI 3.0, or a JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Keywords that are the same in OpenAPI 3.0 and in JSON Schema 2020-12. Others say nothing about the values. */
const sameKeywords = [
  ...['type', 'format', 'title', 'description', 'default', 'enum', 'pattern', 'required'],
  ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties'],
] as const;

/** Schemas of a contract, as JSON Schema; those that refer to others share definitions. */
export interface SchemaTranslator {
  translate(schema: unknown): Schema;
  /** The definitions that the translated schemas refer to, by name. */
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Translates schemas of OpenAPI 3.0 to JSON Schema 2020-12. References become references into `$defs`. */
export function createSchemaTranslator(components: Readonly<Record<string, unknown>>): SchemaTranslator {
  const definitions: Record<string, Schema> = {};

  function translate(given: unknown): Schema {
    if (typeof given !== 'object' || given === null) return {};
    const schema = given as Schema;
    if (typeof schema.$ref === 'string') return { $ref: `#/$defs/${define(schema.$ref)}` };
    const translated: Record<string, unknown> = {};
    for (const keyword of sameKeywords) if (schema[keyword] !== undefined) translated[keyword] = schema[keyword];
    for (const keyword of ['minimum', 'maximum'] as const) translateExclusive(schema, keyword, translated);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      if (Array.isArray(schema[keyword])) translated[keyword] = schema[keyword].map(translate);
    }
    for (const keyword of ['items', 'not'] as const) {
      if (schema[keyword] !== undefined) translated[keyword] = translate(schema[keyword]);
    }
    if (typeof schema.properties === 'object' && schema.properties !== null) {
      translated.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, translate(inner)]),
      );
    }
    const rest = schema.additionalProperties;
    if (rest !== undefined) translated.additionalProperties = typeof rest === 'boolean' ? rest : translate(rest);
    if (schema.example !== undefined) translated.examples = [schema.example];
    return schema.nullable === true ? orNull(translated) : translated;
  }

  /** Returns the name of the definition that a reference leads to. */
  function define(reference: string): string {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    if (!Object.hasOwn(definitions, name)) {
      // Set first, because a schema may contain itself.
      definitions[name] = {};
      definitions[name] = translate(components[name]);
    }
    return name;
  }

  return { translate, definitions };
}

/** OpenAPI 3.0 has a flag for each bound, JSON Schema a keyword. */
function translateExclusive(schema: Schema, keyword: 'minimum' | 'maximum', translated: Record<string, unknown>): void {
  const name = keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  if (schema[name] !== true) return;
  translated[name] = schema[keyword];
  delete translated[keyword];
}

function orNull(schema: Record<string, unknown>): Schema {
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}
