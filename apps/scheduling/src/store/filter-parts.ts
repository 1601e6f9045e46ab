import type { BoundExpression, BoundOrder } from '@rostergate/odata';

/** A filter in two parts that both have to hold. */
export interface FilterParts {
  /** What an index serves, with whatever else costs next to nothing; undefined where no index does. */
  readonly seek: BoundExpression | undefined;
  /** What has to be worked out person by person. */
  readonly rest: BoundExpression | undefined;
}

/** Properties of a person that an index has behind the company. */
const indexed: ReadonlySet<string> = new Set(['StaffKey', 'StaffId', 'LastName', 'Npi', 'Email']);

/** Parts a filter by cost: `LastName eq 'X' and Tags/any(…)` looks at the tags of the people of that name alone. */
export function splitFilter(filter: BoundExpression | undefined): FilterParts {
  if (filter === undefined) return { seek: undefined, rest: undefined };
  const conditions = filter.kind === 'and' ? filter.operands : [filter];
  if (!conditions.some(isIndexed)) return { seek: undefined, rest: filter };
  return { seek: joinAll(conditions.filter(isPlain)), rest: joinAll(conditions.filter((one) => !isPlain(one))) };
}

/**
 * Whether an index has people in that order. Behind the property each has StaffKey, which ties are ordered by: read
 * backwards, ties must be sorted, and of those who have null there may be many.
 */
export function isIndexOrder(orderby: readonly BoundOrder[]): boolean {
  const [order, ...others] = orderby;
  if (order === undefined || others.length > 0) return false;
  const { expression, descending } = order;
  return expression.kind === 'property' && isIndexedPath(expression.path) && !(descending && expression.nullable);
}

const isIndexedPath = (path: readonly string[]): boolean => path.length === 1 && indexed.has(path[0] as string);

/** An equality with a value; null may be what most people have. */
function isIndexed(node: BoundExpression): boolean {
  if (node.kind !== 'compare' || node.operator !== 'eq') return false;
  const [property, constant] = node.left.kind === 'property' ? [node.left, node.right] : [node.right, node.left];
  return (
    property.kind === 'property' &&
    isIndexedPath(property.path) &&
    constant.kind === 'constant' &&
    typeof constant.value === 'string'
  );
}

function isPlain(node: BoundExpression): boolean {
  if (node.kind !== 'compare') return false;
  return [node.left, node.right].every(({ kind }) => kind === 'property' || kind === 'constant');
}

function joinAll(operands: readonly BoundExpression[]): BoundExpression | undefined {
  const [first, ...others] = operands;
  if (first === undefined || others.length === 0) return first;
  return { kind: 'and', type: 'Edm.Boolean', nullable: operands.some((one) => one.nullable), operands };
}
