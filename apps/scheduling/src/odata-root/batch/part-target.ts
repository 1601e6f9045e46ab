import { rootPath } from '../root-url.ts';

/** Where a part is sent: a path with its query, or the entity of an earlier part with more of a path or a query. */
export type PartTarget = { readonly url: string } | { readonly reference: string; readonly rest: string };

/** Returns the operation that serves a method and a URL. */
export type OperationAt = (method: string, url: string) => string | undefined;

/** System resources, which `$` does not turn into references (OData JSON format 4.01, section 19.1). */
const resources: ReadonlySet<string> = new Set(['batch', 'crossjoin', 'all', 'entity', 'root', 'id', 'metadata']);

/**
 * Returns the target of a part whose URL is relative to the root, or an absolute path.
 * @returns What is wrong with the URL, as a text
 */
export function readTarget(method: string, url: string, root: URL, operationAt: OperationAt): PartTarget | string {
  const [, reference, rest = ''] = /^\$([^/?]+)(.*)$/s.exec(url) ?? [];
  if (reference !== undefined && !resources.has(reference)) return { reference, rest };
  return resolveTarget(method, url, root, operationAt);
}

/**
 * Returns the path and the query of a URL below the root.
 * @returns What is wrong with the URL, as a text
 */
export function resolveTarget(
  method: string,
  url: string,
  root: URL,
  operationAt: OperationAt,
): { readonly url: string } | string {
  // URL parsers remove the first and read the second as a slash.
  const found = /[#\\\p{Cc}]/u.test(url) ? null : URL.parse(url, root);
  if (found === null) return 'must be a URL without a fragment, backslashes and control characters';
  if (found.origin !== root.origin || found.username !== '' || found.password !== '') {
    return 'must be on this server. Write it relative to /v2/, or as an absolute path';
  }
  if (!found.pathname.startsWith(rootPath)) return `must be below ${rootPath}`;
  const resolved = found.pathname + found.search;
  const operation = operationAt(method, resolved);
  if (operation === 'runODataBatch') return 'must not be a batch. Send the requests of both batches in one';
  if (operation === 'login') return 'must not be a login. Log in without a batch';
  return { url: resolved };
}
