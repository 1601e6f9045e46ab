import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { ToolFailure } from '../workspace.ts';
import { httpMethods, type JsonObject, type OpenApiDocument } from './openapi-document.ts';

/** Returns the types of a contract: the output of openapi-typescript, and an alias for each schema. */
export async function emitTypes(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(createOneWayDocument(document) as unknown as OpenAPI3, {
    // A property with a default is optional in requests, unless `required` lists it.
    defaultNonNullable: false,
    silent: true,
  });
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, { description }]) => {
    const comment = typeof description === 'string' ? `/** ${firstLine(description)} */\n` : '';
    return `${comment}export type ${name} = components['schemas']['${name}'];\n`;
  });
  return astToString(nodes) + schemas.join('');
}

function firstLine(description: string): string {
  return (description.split('\n')[0] ?? '').replaceAll('*/', '*\\/').trim();
}

type Direction = 'request' | 'response';

/**
 * Returns the document for the types: responses that are JSON by default have no other media type, response schemas have
 * no `writeOnly` properties, and request schemas have no `readOnly` properties (OpenAPI 3.0.3, schema object, fixed fields). Throws for a schema with such a property that is
 * used in requests and responses.
 */
export function createOneWayDocument(document: OpenApiDocument): OpenApiDocument {
  const result = structuredClone(document);
  const directions = new Map<object, Direction>();

  function visit(value: unknown, direction: Direction, path: string): void {
    if (typeof value !== 'object' || value === null) return;
    const before = directions.get(value);
    if (before === direction) return;
    if (before !== undefined && hasOneWayProperty(value)) throw new ToolFailure(bothWays(path));
    directions.set(value, direction);
    if (before === undefined) prune(value as JsonObject, direction);
    for (const [key, child] of Object.entries(value)) {
      if (key === '$ref' && typeof child === 'string') visit(targetOf(result, child), direction, child);
      else if (key !== 'example' && key !== 'examples') visit(child, direction, path);
    }
  }

  function prune(value: JsonObject, direction: Direction): void {
    if (!isObject(value.properties)) return;
    const mark = direction === 'request' ? 'readOnly' : 'writeOnly';
    for (const [name, property] of Object.entries(value.properties)) {
      if (!isObject(property) || property[mark] !== true) continue;
      delete value.properties[name];
      if (Array.isArray(value.required)) value.required = value.required.filter((required) => required !== name);
    }
  }

  for (const response of responsesOf(result)) keepJsonOnly(response);
  for (const [path, item] of Object.entries(result.paths)) {
    visit(item.parameters, 'request', path);
    for (const method of httpMethods) {
      visit(item[method]?.parameters, 'request', `${method} ${path}`);
      visit(item[method]?.requestBody, 'request', `${method} ${path}`);
      visit(item[method]?.responses, 'response', `${method} ${path}`);
    }
  }
  return result;
}

function responsesOf({ paths, components }: OpenApiDocument): unknown[] {
  const operations = Object.values(paths).flatMap((item) => httpMethods.map((method) => item[method]));
  const named = Object.values(components?.responses ?? {});
  return [...operations.flatMap((operation) => Object.values((operation?.responses ?? {}) as JsonObject)), ...named];
}

/** Clients without an Accept header receive the first media type. Its types would be a union with the others. */
function keepJsonOnly(response: unknown): void {
  if (!isObject(response) || !isObject(response.content)) return;
  const [first] = Object.entries(response.content);
  if (first?.[0] === 'application/json') response.content = Object.fromEntries([first]);
}

function hasOneWayProperty(value: object): boolean {
  const { properties } = value as JsonObject;
  return (
    isObject(properties) &&
    Object.values(properties).some((one) => isObject(one) && (one.readOnly === true || one.writeOnly === true))
  );
}

function targetOf(document: OpenApiDocument, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], document);
}

function bothWays(path: string): string {
  return `${path} is used in requests and responses and has readOnly or writeOnly properties: write one schema for each.`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
