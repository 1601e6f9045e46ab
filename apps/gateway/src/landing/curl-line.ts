import {
  type HttpMethod,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
  resolveReference,
} from '@rostergate/runtime/contract';

/** A line for a POSIX shell that calls an operation with the examples of its contract. */
export function createCurlLine(
  document: OpenApiDocument,
  origin: string,
  { method, path, operation }: { method: HttpMethod; path: string; operation: OperationObject },
): string {
  const parameters = (operation.parameters ?? []).map((p) => resolveReference<ParameterObject>(document, p));
  const located = parameters.reduce(
    (url, p) => (p.in === 'path' ? url.replace(`{${p.name}}`, encodeURIComponent(exampleOf(p) ?? p.name)) : url),
    path,
  );
  const query = parameters.flatMap((p) => {
    const example = p.in === 'query' ? exampleOf(p) : undefined;
    return example === undefined ? [] : [`${encodeURIComponent(p.name)}=${encodeURIComponent(example)}`];
  });
  const words = ['curl'];
  if (method !== 'get') words.push('-X', method.toUpperCase());
  if ((operation.security ?? []).length > 0) words.push('-H', '"X-API-Key: $GATEWAY_KEY"');
  const body = bodyOf(document, operation);
  if (body !== undefined) words.push('-H', quoted('Content-Type: application/json'), '-d', quoted(body));
  words.push(quoted(`${origin}${located}${query.length === 0 ? '' : `?${query.join('&')}`}`));
  return words.join(' ');
}

function exampleOf({ example, schema }: ParameterObject): string | undefined {
  const value = example ?? (schema as { default?: unknown } | undefined)?.default;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function bodyOf(document: OpenApiDocument, { requestBody }: OperationObject): string | undefined {
  if (requestBody === undefined) return undefined;
  const json = resolveReference<RequestBodyObject>(document, requestBody).content['application/json'];
  if (json === undefined) return undefined;
  const schema = resolveReference<object>(document, (json.schema ?? {}) as object) as { example?: unknown };
  return JSON.stringify(schema.example ?? {});
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
