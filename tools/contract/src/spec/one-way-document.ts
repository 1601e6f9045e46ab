import { ToolFailure } from '../tool-failure.ts';
import { httpMethods, type JsonObject, type OpenApiDocument } from './openapi-document.ts';

type Direction = 'request' | 'response';

/**
 * The document as types see it: what is `writeOnly` is gone from schemas that answers are made of, what is `readOnly`
 * from those that requests are made of (OpenAPI 3.0.3, schema object, fixed fields). So a type holds what is really
 * sent, in handlers and clients alike, with no markers. A schema that goes both ways and has such a property is refused.
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
  return `${path} is sent both ways and has readOnly or writeOnly properties: write one schema for each direction.`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
