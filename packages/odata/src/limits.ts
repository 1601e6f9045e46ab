import { ODataError } from './odata-error.ts';

/** Bounds on one query. Past any of them the query is refused with `limit_exceeded`, naming the bound. */
export interface Limits {
  /** Characters of the undecoded query text, or of one option given alone. */
  readonly lengthMax: number;
  /** Nesting of parentheses, calls, lambdas, arrays and chained arithmetic in one expression. */
  readonly depthMax: number;
  /** Operators, calls, paths and literals in all expressions of the query; items of an `in` list do not count. */
  readonly nodesMax: number;
  /** Items of one `in` list, JSON array or JSON object. */
  readonly listItemsMax: number;
  /** `any` and `all` inside each other. */
  readonly lambdaDepthMax: number;
  /** `$expand` inside `$expand`; 1 allows no nesting. */
  readonly expandDepthMax: number;
  /** Items of one `$select`, `$orderby` or `$expand`. */
  readonly itemsMax: number;
  /** Largest `$top`. */
  readonly topMax: number;
}

/** The bounds where none are given. */
export const defaultLimits: Limits = Object.freeze({
  lengthMax: 16_384,
  depthMax: 48,
  nodesMax: 200,
  listItemsMax: 1_000,
  lambdaDepthMax: 4,
  expandDepthMax: 2,
  itemsMax: 100,
  topMax: 1_000_000_000,
});

/** What there is too much of, in words for the caller. */
const excess: Record<keyof Limits, string> = {
  lengthMax: 'The query is too long',
  depthMax: 'The query nests too deep',
  nodesMax: 'The query has too many operators, names and values',
  listItemsMax: 'The list has too many items',
  lambdaDepthMax: 'There are too many any and all inside each other',
  expandDepthMax: 'There are too many $expand inside each other',
  itemsMax: 'The option names too many items',
  topMax: '$top is too large',
};

export const limitError = (name: keyof Limits, limit: number, offset: number): ODataError =>
  new ODataError('limit_exceeded', `${excess[name]}: it passes ${name}, which is ${limit}.`, { offset });
