import { runSteps, type Steps } from '../steps.ts';
import { httpMethods, type OpenApiDocument, type PathItem, type SecurityRequirement } from './openapi.ts';

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
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, secured(item, operationIds, security)]),
  );
  return { ...document, paths };
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
 * Returns the document with the fragment's paths, components and tags appended. Neither is changed, and only the members
 * of both are copied. Throws when both define the same path or component.
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
  const tags = document.tags ?? [];
  const known = new Set(tags.map((tag) => tag.name));
  return Object.freeze({
    ...document,
    tags: [...tags, ...fragment.tags.filter((tag) => !known.has(tag.name))],
    paths: yield* join('path', document.paths, fragment.paths),
    components,
  });
}

function* join(what: string, own: object, added: Readonly<Record<string, unknown>>): Steps<object> {
  const joined: Record<string, unknown> = { ...own };
  for (const name of Object.keys(added)) {
    yield;
    if (Object.hasOwn(own, name)) throw new Error(`The ${what} "${name}" is built in: choose another name.`);
    joined[name] = added[name];
  }
  return joined;
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

function secured(
  item: PathItem,
  operationIds: ReadonlySet<string>,
  security: readonly SecurityRequirement[],
): PathItem {
  const chosen = httpMethods.filter((method) => operationIds.has(item[method]?.operationId ?? ''));
  if (chosen.length === 0) return item;
  const responses = { 401: { $ref: '#/components/responses/Unauthorized' } };
  const changed = chosen.map((method) => {
    const operation = item[method];
    return [method, { ...operation, security, responses: { ...operation?.responses, ...responses } }];
  });
  return { ...item, ...Object.fromEntries(changed) };
}
