import {
  type HttpMethod,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
  resolveReference,
} from '@rostergate/server';
import { exampleValueOf } from './example-value.ts';

export interface CurlOptions {
  /** Scheme and host, without a trailing slash. */
  readonly origin: string;
  /** Name of the shell variable with the key or token. */
  readonly secretVariable: string;
}

export interface CalledOperation {
  readonly method: HttpMethod;
  readonly path: string;
  readonly operation: OperationObject;
  /** Parameters of the path item. */
  readonly sharedParameters?: OperationObject['parameters'] | undefined;
}

/** Returns a curl command for a POSIX shell that calls an operation with the examples of its contract. */
export function createCurlLine(document: OpenApiDocument, called: CalledOperation, options: CurlOptions): string {
  const { origin, secretVariable } = options;
  return curlOf(createExampleRequest(document, called, { origin, secret: `$${secretVariable}` }));
}

/** A request with the examples of a contract. */
export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  /** The header field with the key or token, if the operation needs one. */
  readonly credential: readonly [name: string, value: string] | undefined;
  /** JSON. */
  readonly body: string | undefined;
}

export interface ExampleOptions {
  /** Scheme and host, without a trailing slash. */
  readonly origin: string;
  /** The key or token. */
  readonly secret: string;
}

export function createExampleRequest(
  document: OpenApiDocument,
  called: CalledOperation,
  { origin, secret }: ExampleOptions,
): ExampleRequest {
  const { method, path, operation } = called;
  const parameters = [...(called.sharedParameters ?? []), ...(operation.parameters ?? [])].map((p) =>
    resolveReference<ParameterObject>(document, p),
  );
  const located = parameters.reduce(
    (url, p) => (p.in === 'path' ? url.replace(`{${p.name}}`, pathExampleOf(document, p)) : url),
    path,
  );
  const query = parameters.flatMap((p) => {
    const example =
      p.in === 'query' ? (exampleOf(p) ?? (p.required ? typeExampleOf(document, p) : undefined)) : undefined;
    return example === undefined ? [] : [`${encodeURIComponent(p.name)}=${encodeURIComponent(example)}`];
  });
  return {
    method: method.toUpperCase(),
    url: `${origin}${located}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    credential: credentialOf(document, operation, secret),
    body: bodyOf(document, operation),
  };
}

/** Returns a request as a curl command. The credential may contain a shell variable. */
export function curlOf({ method, url, credential, body }: ExampleRequest): string {
  const words = ['curl'];
  if (method !== 'GET') words.push('-X', method);
  if (credential !== undefined) words.push('-H', `"${credential.join(': ')}"`);
  if (body !== undefined) words.push('-H', quoted('Content-Type: application/json'), '-d', quoted(body));
  words.push(quoted(url));
  return words.join(' ');
}

/** Returns the header of the operation's first security scheme. */
function credentialOf(
  document: OpenApiDocument,
  { security }: OperationObject,
  secret: string,
): ExampleRequest['credential'] {
  const [name] = (security ?? document.security ?? []).flatMap((requirement) => Object.keys(requirement));
  if (name === undefined) return undefined;
  const scheme = document.components?.securitySchemes?.[name] as { type?: string; name?: string } | undefined;
  return scheme?.type === 'apiKey' ? [String(scheme.name), secret] : ['Authorization', `Bearer ${secret}`];
}

/** Returns the encoded example of a path parameter; that of the rest of a path has several segments. */
function pathExampleOf(document: OpenApiDocument, parameter: ParameterObject): string {
  if (parameter['x-multi-segment'] !== true) {
    return encodeURIComponent(exampleOf(parameter) ?? typeExampleOf(document, parameter));
  }
  return (exampleOf(parameter) ?? 'path/to/one').split('/').map(encodeURIComponent).join('/');
}

/** Returns a value that the type of the parameter allows; for a plain text, the name says what it is. */
function typeExampleOf(document: OpenApiDocument, { name, schema }: ParameterObject): string {
  const value = schema === undefined ? 'text' : exampleValueOf(document, schema);
  return value === 'text' ? name : [value].flat().join(',');
}

function exampleOf({ example, schema }: ParameterObject): string | undefined {
  const { default: fallback, example: inSchema } = (schema ?? {}) as { default?: unknown; example?: unknown };
  const value = example ?? inSchema ?? fallback;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function bodyOf(document: OpenApiDocument, { requestBody }: OperationObject): string | undefined {
  if (requestBody === undefined) return undefined;
  const json = resolveReference<RequestBodyObject>(document, requestBody).content['application/json'];
  if (json === undefined) return undefined;
  return JSON.stringify((json as { example?: unknown }).example ?? exampleValueOf(document, json.schema));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
