import { runSteps, type Steps } from '../steps.ts';

/** The parts of an OpenAPI 3.0 document that the runtime reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly ServerObject[];
  readonly security?: readonly SecurityRequirement[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Components;
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
  /** This path has no other methods: no path with parameters matches it. */
  readonly 'x-exclusive'?: boolean;
}

export interface OperationObject {
  /** The caller needs all of these scopes. */
  readonly 'x-required-scopes'?: readonly string[];
  /** A limit for this operation only. */
  readonly 'x-rate-limit-per-minute'?: number;
  /** The longest body of this operation, where the limit of the server is higher. */
  readonly 'x-body-bytes-max'?: number;
  /** A pattern for the names of undeclared query parameters, since OpenAPI 3.0 cannot declare families of names. */
  readonly 'x-query-names'?: string;
  /** Where clients without a valid credential find the issuers of tokens: a path of this server or a URL. */
  readonly 'x-resource-metadata'?: string;
  /** Requests are WebSocket handshakes. */
  readonly 'x-websocket'?: boolean;
  /** The grant that a caller needs for this operation, besides the scopes, as the operator configures it. */
  readonly 'x-needs-grant'?: string;
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
  /** The parameter is the rest of the path: one or more segments, since OpenAPI 3.0 has none with slashes. */
  readonly 'x-multi-segment'?: boolean;
  readonly [more: string]: unknown;
}

export interface RequestBodyObject {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema?: unknown }>>;
}

export interface Reference {
  readonly $ref: string;
}

/** Returns an own member of an object; undefined for inherited members such as `constructor`. */
function ownMember(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string, unknown>)[name];
}

/** Escapes a name for a JSON pointer (RFC 6901 §3). */
export function escapeStep(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Follows a local reference (`#/components/…`), the only kind in a bundled document. */
export function resolveReference<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  let found: T | Reference = value;
  while ('$ref' in found) {
    const { $ref } = found as Reference;
    const steps = $ref.replace(/^#\//, '').split('/');
    let target: unknown = document;
    for (const step of steps) target = ownMember(target, unescapeStep(step));
    if (typeof target !== 'object' || target === null)
      throw new Error(`The reference ${$ref} has no target in the document.`);
    found = target as T | Reference;
  }
  return found;
}

export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns the components that parts of a document refer to, directly or through other components. */
export function reachableComponents(document: OpenApiDocument, parts: unknown): Components {
  const found: Record<string, Record<string, unknown>> = Object.create(null);
  const pending: unknown[] = [parts];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (typeof member === 'object') pending.push(member);
      else if (name === '$ref' && typeof member === 'string') pending.push(addComponent(document, member, found));
    }
  }
  return found;
}

/** Adds the component that a reference leads to or into, and returns it; undefined when it is present already. */
function addComponent(
  document: OpenApiDocument,
  reference: string,
  found: Record<string, Record<string, unknown>>,
): unknown {
  const [, root, section, escaped] = reference.split('/');
  if (root !== 'components' || section === undefined || escaped === undefined) return undefined;
  const name = unescapeStep(escaped);
  const component = ownMember(ownMember(document.components, section), name);
  found[section] ??= Object.create(null) as Record<string, unknown>;
  const members = found[section];
  if (component === undefined || Object.hasOwn(members, name)) return undefined;
  members[name] = component;
  return component;
}

/** One row of the generated operation table. */
export interface Operation {
  readonly operationId: string;
  readonly method: HttpMethod;
  /** The path template of the contract, without the server's base path. */
  readonly path: string;
  readonly tag: string;
  readonly requiredScopes?: readonly string[];
}

export type OperationTable = Readonly<Record<string, Operation>>;

/** Returns the document without these operations and their unused tags. */
export function withoutOperations(document: OpenApiDocument, off: ReadonlySet<string>): OpenApiDocument {
  if (off.size === 0) return document;
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const rest = without(item, off);
      return rest === undefined ? [] : [[path, rest]];
    }),
  );
  const used = new Set(
    Object.values(paths).flatMap((item) => httpMethods.flatMap((method) => item[method]?.tags ?? [])),
  );
  return { ...document, paths, tags: (document.tags ?? []).filter((tag) => used.has(tag.name)) };
}

/** Returns the document with security and a 401 response for these operations. */
export function withSecurity(
  document: OpenApiDocument,
  operationIds: ReadonlySet<string>,
  security: readonly SecurityRequirement[],
): OpenApiDocument {
  const responses = { 401: { $ref: '#/components/responses/Unauthorized' } };
  return changeOperations(document, operationIds, (operation) => ({
    ...operation,
    security,
    responses: { ...operation.responses, ...responses },
  }));
}

/** Returns the document with more members of these operations, by operationId. */
export function withMembers(document: OpenApiDocument, byId: ReadonlyMap<string, object>): OpenApiDocument {
  return changeOperations(document, byId, (operation, id) => ({ ...operation, ...byId.get(id) }));
}

/** The parts of an OpenAPI document that merging reads. */
export interface MergeableDocument {
  readonly paths: object;
  readonly components?: object;
  readonly tags?: readonly { readonly name: string }[];
}

/** The parts of a document that are added to another one. */
export interface DocumentFragment {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags: readonly { readonly name: string }[];
}

/**
 * Returns the document with the fragment's paths, components and tags added. Its paths and tags come first, because
 * documentation pages list them in this order. Neither is changed, and only the members of both are copied. Throws when
 * both define the same path or component.
 */
export function mergeDocuments<D extends MergeableDocument>(document: D, fragment: DocumentFragment): D {
  return runSteps(mergeDocumentsSteps(document, fragment));
}

/** Does the same in steps, one member each. */
export function* mergeDocumentsSteps<D extends MergeableDocument>(document: D, fragment: DocumentFragment): Steps<D> {
  const components: Record<string, object> = { ...document.components };
  for (const [section, added] of Object.entries(fragment.components)) {
    components[section] = yield* join(`component of ${section}`, components[section] ?? {}, added);
  }
  const known = new Map((document.tags ?? []).map((tag) => [tag.name, tag]));
  const added = new Map(fragment.tags.map((tag) => [tag.name, known.get(tag.name) ?? tag]));
  return Object.freeze({
    ...document,
    tags: [...new Map([...added, ...known]).values()],
    paths: yield* join('path', document.paths, fragment.paths),
    components,
  });
}

function* join(what: string, own: object, added: Readonly<Record<string, unknown>>): Steps<object> {
  const joined: Record<string, unknown> = {};
  for (const name of Object.keys(added)) {
    yield;
    if (Object.hasOwn(own, name)) throw new Error(`The ${what} "${name}" is built in: choose another name.`);
    joined[name] = added[name];
  }
  return Object.assign(joined, own);
}

/** Returns the item without these operations: the same object when it has none, undefined when it has no others. */
function without(item: PathItem, off: ReadonlySet<string>): PathItem | undefined {
  const present = httpMethods.filter((method) => item[method] !== undefined);
  const rest = present.filter((method) => !off.has(item[method]?.operationId ?? ''));
  if (rest.length === present.length) return item;
  if (rest.length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(item).filter(
      ([key]) => !(httpMethods as readonly string[]).includes(key) || rest.includes(key as never),
    ),
  );
}

function changeOperations(
  document: OpenApiDocument,
  ids: { has(operationId: string): boolean },
  change: (operation: OperationObject, operationId: string) => OperationObject,
): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const changed = httpMethods.flatMap((method) => {
      const operation = item[method];
      const id = operation?.operationId;
      return operation === undefined || id === undefined || !ids.has(id) ? [] : [[method, change(operation, id)]];
    });
    return [path, changed.length === 0 ? item : { ...item, ...Object.fromEntries(changed) }];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}
