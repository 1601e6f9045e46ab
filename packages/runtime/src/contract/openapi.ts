/** The parts of an OpenAPI 3.0 document that the runtime reads; all else passes through untouched. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly ServerObject[];
  readonly security?: readonly SecurityRequirement[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [extension: `x-${string}`]: unknown;
}

export interface ServerObject {
  readonly url: string;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export const httpMethods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export interface PathItem extends Partial<Record<HttpMethod, OperationObject>> {
  readonly summary?: string;
  readonly description?: string;
  readonly servers?: readonly ServerObject[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
}

export interface OperationObject {
  /** All of these scopes are needed. */
  readonly 'x-required-scopes'?: readonly string[];
  /** A limit of this operation alone. */
  readonly 'x-rate-limit-per-minute'?: number;
  /** The longest body that this operation alone reads, where the server would read longer ones. */
  readonly 'x-body-bytes-max'?: number;
  /** A pattern: query parameters of these names are taken undeclared, since OpenAPI 3.0 declares no families of names. */
  readonly 'x-query-names'?: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: RequestBodyObject | Reference;
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly [extension: `x-${string}`]: unknown;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: unknown;
  readonly [more: string]: unknown;
}

export interface RequestBodyObject {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema?: unknown }>>;
}

export interface Reference {
  readonly $ref: string;
}

/** A member of an object by a name that the object may inherit, such as `constructor`; undefined unless it is its own. */
export function ownMember(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string, unknown>)[name];
}

/** Follows a local reference (`#/components/…`); the bundled document holds no other kind. */
export function resolveReference<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  let found: T | Reference = value;
  while ('$ref' in found) {
    const { $ref } = found as Reference;
    const steps = $ref.replace(/^#\//, '').split('/');
    let target: unknown = document;
    for (const step of steps) {
      target = ownMember(target, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    }
    if (typeof target !== 'object' || target === null) throw new Error(`${$ref} points at nothing in the document.`);
    found = target as T | Reference;
  }
  return found;
}
