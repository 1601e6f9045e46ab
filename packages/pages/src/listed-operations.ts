import { basePathOf, httpMethods, type OpenApiDocument, type OperationObject, type PathItem } from '@rostergate/server';
import { runSteps, type Steps } from '@rostergate/server/steps';

/** An operation in the list of a page. */
export interface ListedOperation {
  readonly method: (typeof httpMethods)[number];
  /** With the path of the server. */
  readonly path: string;
  readonly operation: OperationObject;
  readonly sharedParameters: OperationObject['parameters'];
  /** The first one is its group. */
  readonly tags: readonly string[];
  readonly needsCredential: boolean;
  /** Searchable text, in lower case. */
  readonly haystack: string;
}

/** Returns the operations of a document by group, in the order in which groups first appear. */
export function listOperations(
  document: OpenApiDocument,
  isListed: (operation: OperationObject) => boolean = () => true,
): readonly ListedOperation[] {
  return runSteps(listOperationsSteps(document, isListed));
}

/** Returns the same as `listOperations`, in steps. */
export function* listOperationsSteps(
  document: OpenApiDocument,
  isListed: (operation: OperationObject) => boolean = () => true,
): Steps<readonly ListedOperation[]> {
  const groups = new Map<string, ListedOperation[]>();
  for (const template of Object.keys(document.paths)) {
    yield;
    const item = document.paths[template] as PathItem;
    const path = basePathOf(item.servers ?? document.servers) + template;
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation === undefined || !isListed(operation)) continue;
      const tags = operation.tags ?? [];
      const listed = {
        method,
        path,
        operation,
        sharedParameters: item.parameters,
        tags,
        needsCredential: needsCredential(operation.security ?? document.security ?? []),
        haystack: `${method} ${path} ${operation.summary ?? ''} ${tags.join(' ')}`.toLowerCase(),
      };
      const group = groups.get(groupOf(listed));
      if (group === undefined) groups.set(groupOf(listed), [listed]);
      else group.push(listed);
    }
  }
  return [...groups.values()].flat();
}

export function groupOf({ tags }: Pick<ListedOperation, 'tags'>): string {
  return tags[0] ?? 'Other';
}

function needsCredential(security: NonNullable<OperationObject['security']>): boolean {
  return security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
}

export interface OperationQuery {
  /** Words that must all match. */
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

export interface OperationPage {
  readonly query: { readonly q: string; readonly tag: string };
  readonly operations: readonly ListedOperation[];
  /** Number of matches on all pages. */
  readonly found: number;
  readonly total: number;
  /** From 1; at most `pages`. */
  readonly page: number;
  readonly pages: number;
}

/** Returns one page of the matching operations; ten thousand are searched in about a millisecond. */
export function searchOperations(
  operations: readonly ListedOperation[],
  { q = '', tag = '', page = 1 }: OperationQuery,
  perPage: number,
): OperationPage {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    words.length === 0 && tag === ''
      ? operations
      : operations.filter(
          ({ haystack, tags }) => (tag === '' || tags.includes(tag)) && words.every((word) => haystack.includes(word)),
        );
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const shown = Math.min(page, pages);
  return {
    query: { q, tag },
    operations: found.slice((shown - 1) * perPage, shown * perPage),
    found: found.length,
    total: operations.length,
    page: shown,
    pages,
  };
}
