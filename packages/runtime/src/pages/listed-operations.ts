import { httpMethods, type OpenApiDocument, type OperationObject, type PathItem } from '../contract/index.ts';
import { runSteps, type Steps } from '../steps/index.ts';

/** One operation as a page lists it. */
export interface ListedOperation {
  readonly method: (typeof httpMethods)[number];
  readonly path: string;
  readonly operation: OperationObject;
  readonly sharedParameters: OperationObject['parameters'];
  /** Under the first of them it is listed. */
  readonly tags: readonly string[];
  readonly needsCredential: boolean;
  /** What a search looks at, in lower case. */
  readonly haystack: string;
}

/** The operations of a document, by the group they are listed under, in the order in which groups first appear. */
export function listOperations(
  document: OpenApiDocument,
  isListed: (operation: OperationObject) => boolean = () => true,
): readonly ListedOperation[] {
  return runSteps(listOperationsSteps(document, isListed));
}

/** The same, path by path. */
export function* listOperationsSteps(
  document: OpenApiDocument,
  isListed: (operation: OperationObject) => boolean = () => true,
): Steps<readonly ListedOperation[]> {
  const groups = new Map<string, ListedOperation[]>();
  for (const path of Object.keys(document.paths)) {
    yield;
    const item = document.paths[path] as PathItem;
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
