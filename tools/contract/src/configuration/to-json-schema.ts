import type { JsonObject } from '../spec/openapi-document.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

/**
 * Returns a schema of an OpenAPI 3.0 document, with all schemas that it refers to, as JSON Schema draft 7, which every
 * editor supports. Objects without unknown names accept `$schema` and names that begin with `_`, as the gateway does.
 */
export function toJsonSchema(name: string, schemas: Schemas): JsonObject {
  const definitions: JsonObject = {};
  const define = (target: string): void => {
    if (target in definitions) return;
    // Defined first, so that a recursive schema terminates.
    definitions[target] = {};
    definitions[target] = convert(schemaOf(target, schemas), define);
  };
  const root = convert(schemaOf(name, schemas), define) as JsonObject;
  return Object.keys(definitions).length === 0 ? root : { ...root, definitions };
}

function schemaOf(name: string, schemas: Schemas): JsonObject {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}

const referenceStart = '#/components/schemas/';

function convert(value: unknown, define: (name: string) => void): unknown {
  if (Array.isArray(value)) return value.map((entry) => convert(entry, define));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonObject;
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(referenceStart.length);
    define(name);
    return { $ref: `#/definitions/${name}` };
  }
  const { nullable, example, default: preset, properties, additionalProperties, ...rest } = schema;
  const converted: JsonObject = {};
  for (const [key, inner] of Object.entries(rest)) {
    if (!key.startsWith('x-')) converted[key] = key === 'enum' ? inner : convert(inner, define);
  }
  if (nullable === true && typeof rest.type === 'string') converted.type = [rest.type, 'null'];
  if (nullable === true && Array.isArray(rest.enum)) converted.enum = [...rest.enum, null];
  if (preset !== undefined) converted.default = preset;
  if (example !== undefined) converted.examples = [example];
  if (properties !== undefined) converted.properties = convertEach(properties as JsonObject, define);
  if (additionalProperties !== undefined) {
    converted.additionalProperties = convert(additionalProperties, define);
    if (additionalProperties === false) converted.patternProperties = { '^(_|\\$schema$)': {} };
  }
  return converted;
}

function convertEach(properties: JsonObject, define: (name: string) => void): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, convert(inner, define)]));
}
