/** The parts of a bundled OpenAPI 3.0 document that the generators use. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly security?: readonly object[];
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

export type JsonObject = { [key: string]: unknown };

export interface PathItem extends Partial<Record<HttpMethod, OperationObject>> {
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: RequestBodyObject | Reference;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly description?: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema?: JsonObject;
  /** The parameter is the rest of the path. */
  readonly 'x-multi-segment'?: boolean;
}

export interface RequestBodyObject {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema?: JsonObject }>>;
}

export interface ResponseObject {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonObject }>>;
}

export interface Reference {
  readonly $ref: string;
}

export const httpMethods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
export type HttpMethod = (typeof httpMethods)[number];

/** Resolves a reference `#/components/<section>/<name>`. A bundle contains no other references. */
export function resolveReference<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const [, section, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref) ?? [];
  const found = document.components?.[section ?? '']?.[name ?? ''];
  if (found === undefined) throw new Error(`${value.$ref} points at no component.`);
  return resolveReference(document, found as T | Reference);
}

/** An operation with its place in the document. */
export interface PlacedOperation {
  readonly method: HttpMethod;
  /** Path in the document. */
  readonly template: string;
  /** Path from the root of the server. `servers` of the path item override those of the document. */
  readonly path: string;
  readonly item: PathItem;
  readonly operation: OperationObject;
}

/** Returns the operations of a document, in its order. */
export function listOperations({ paths, servers }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const [server] = item.servers ?? servers ?? [];
      const base = new URL(server?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
      return [{ method, template, path: base + template, item, operation }];
    }),
  );
}
