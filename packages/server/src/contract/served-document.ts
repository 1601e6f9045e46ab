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
