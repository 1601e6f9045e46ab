import { ODataError } from './odata-error.ts';

/** Limits of one query. A query over a limit is rejected with `limit_exceeded`, and the message names the limit. */
export interface Limits {
  /** Characters of the undecoded query, or of an option that is parsed alone. */
  readonly lengthMax: number;
  /** Nesting of parentheses, calls, lambdas, arrays and chained arithmetic in one expression. */
  readonly depthMax: number;
  /** Operators, calls, paths and literals in all expressions of the query. Items of an `in` list are not counted. */
  readonly nodesMax: number;
  /** Items of one `in` list, JSON array or JSON object. */
  readonly listItemsMax: number;
  /** Nesting of `any` and `all`. */
  readonly lambdaDepthMax: number;
  /** Nesting of `$expand`. 1 allows no nesting. */
  readonly expandDepthMax: number;
  /** Items of one `$select`, `$orderby` or `$expand`. */
  readonly itemsMax: number;
  /** Largest `$top`. */
  readonly topMax: number;
}

/** The default limits. */
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

const excess: Record<keyof Limits, string> = {
  lengthMax: 'The query is too long',
  depthMax: 'The query is nested too deeply',
  nodesMax: 'The query has too many operators, names and values',
  listItemsMax: 'The list has too many items',
  lambdaDepthMax: 'any and all are nested too deeply',
  expandDepthMax: '$expand is nested too deeply',
  itemsMax: 'The option has too many items',
  topMax: '$top is too large',
};

export const limitError = (name: keyof Limits, limit: number, offset: number): ODataError =>
  new ODataError('limit_exceeded', `${excess[name]}: the limit ${name} is ${limit}.`, { offset });
