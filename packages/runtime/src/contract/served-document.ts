import { httpMethods, type OpenApiDocument, type PathItem, type SecurityRequirement } from './openapi.ts';

/** The document without these operations, and without the tags that nothing has any more. */
export function withoutOperations(document: OpenApiDocument, off: ReadonlySet<string>): OpenApiDocument {
  if (off.size === 0) return document;
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const left = without(item, off);
      return left === undefined ? [] : [[path, left]];
    }),
  );
  const used = new Set(
    Object.values(paths).flatMap((item) => httpMethods.flatMap((method) => item[method]?.tags ?? [])),
  );
  return { ...document, paths, tags: (document.tags ?? []).filter((tag) => used.has(tag.name)) };
}

/** The document with these operations behind a key, and the 401 that follows from it. */
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

/** The item as it is when nothing of it is off: most are. */
function without(item: PathItem, off: ReadonlySet<string>): PathItem | undefined {
  const present = httpMethods.filter((method) => item[method] !== undefined);
  const left = present.filter((method) => !off.has(item[method]?.operationId ?? ''));
  if (left.length === present.length) return item;
  if (left.length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(item).filter(
      ([key]) => !(httpMethods as readonly string[]).includes(key) || left.includes(key as never),
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
