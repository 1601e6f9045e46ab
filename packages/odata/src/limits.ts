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

export const limitError = (name: keyof Limits, limit: number, offset: number): ODataError =>
  new ODataError('limit_exceeded', `The query passes ${name}, which is ${limit}.`, { offset });
