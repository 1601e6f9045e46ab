import { type BoundExpression, type BoundOrder, toSql, toSqlKeys } from '@rostergate/odata';
import type { ModifiedSince } from '../staff-query.ts';
import { createMapping, JsonWriter } from './json-writer.ts';
import type { Scope } from './scope.ts';
import { staffMember } from './shapes.ts';
import type { Sql, SqlFlavour } from './sql-flavour.ts';
import { afterPlace, beforePlace, type Place } from './staff-order.ts';

export interface Bounds {
  readonly top: number;
  /** Only people after this place. */
  readonly after: Place | undefined;
  /** Only people before this place. */
  readonly before?: Place | undefined;
}

/** Builds a statement about people, as row `s`, with its parameters in the order of the text. */
export class StaffStatement {
  readonly writer: JsonWriter;
  readonly #flavour: SqlFlavour;
  readonly #scope: Scope;

  constructor(flavour: SqlFlavour, scope: Scope) {
    this.writer = new JsonWriter(flavour, scope.isAdmin);
    this.#flavour = flavour;
    this.#scope = scope;
  }

  toSql(text: string): Sql {
    return { text, parameters: this.writer.parameters };
  }

  #settings() {
    return {
      mapping: createMapping(staffMember, this.#scope.isAdmin, this.#flavour),
      row: 's',
      firstParameter: this.writer.parameters.length + 1,
    };
  }

  /** Returns the columns for finding and ordering people. */
  columns(orderby: readonly BoundOrder[]): string {
    const keys = toSqlKeys({ orderby }, this.#flavour.dialect, this.#settings());
    for (const { parameters } of keys) this.writer.parameters.push(...parameters);
    return ['s."StaffRow" AS "row"', 's."StaffKey" AS "key"', ...keys.map(({ text }, i) => `${text} AS "k${i}"`)].join(
      ', ',
    );
  }

  /** Returns the WHERE condition: the scope first, then the caller's filter, then `after`. */
  where(
    filter: BoundExpression | undefined,
    modifiedSince?: ModifiedSince | undefined,
    after?: BoundExpression | undefined,
  ): string {
    const parts = [`s."CompKey" = ${this.writer.bind(this.#scope.companyKey)}`];
    const { from, until } = modifiedSince ?? {};
    if (from !== undefined) parts.push(`s."LastModifiedDateUtc" >= ${this.writer.bind(from)}`);
    if (until !== undefined) parts.push(`s."LastModifiedDateUtc" <= ${this.writer.bind(until)}`);
    for (const condition of [filter, after]) {
      const { where } = toSql({ filter: condition, orderby: [] }, this.#flavour.dialect, this.#settings());
      if (where === undefined) continue;
      parts.push(where.text);
      this.writer.parameters.push(...where.parameters);
    }
    return parts.join(' AND ');
  }

  /** Returns a column that is 1 for people who match the filter, and 0 for all others. */
  fits(filter: BoundExpression): string {
    const { where } = toSql({ filter, orderby: [] }, this.#flavour.dialect, this.#settings());
    this.writer.parameters.push(...(where?.parameters ?? []));
    return `CASE WHEN ${where?.text} THEN 1 ELSE 0 END`;
  }

  /**
   * Returns the first people of a statement with `columns(orderby)`, in that order and between two places. The subquery
   * has a limit so that it is not merged, and order values are computed once per person.
   */
  first(statement: string, orderby: readonly BoundOrder[], { top, after, before }: Bounds): string {
    const orders = orderby.map(({ expression: { type, nullable }, descending }, i): BoundOrder => {
      return { expression: { kind: 'property', variable: 0, path: [`k${i}`], type, nullable }, descending };
    });
    const columns = { ...Object.fromEntries(orders.map((_, i) => [`k${i}`, `k${i}`])), StaffKey: 'key' };
    const write = (query: Parameters<typeof toSql>[0]) => {
      const firstParameter = this.writer.parameters.length + 1;
      const sql = toSql(query, this.#flavour.dialect, { mapping: { columns }, row: 'p', firstParameter });
      for (const part of [sql.where, sql.orderby]) this.writer.parameters.push(...(part?.parameters ?? []));
      return sql;
    };
    const conditions = [after && afterPlace(orders, after), before && beforePlace(orders, before)]
      .filter((filter) => filter !== undefined)
      .map((filter) => write({ filter, orderby: [] }).where?.text);
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const people = `(${statement} LIMIT ${this.#flavour.noLimit}) AS p`;
    const order = write({ filter: undefined, orderby: orders }).orderby?.text;
    return `SELECT * FROM ${people}${where} ORDER BY ${order}, p."key" LIMIT ${this.writer.bind(top)}`;
  }

  orderBy(orderby: readonly BoundOrder[]): string {
    const { orderby: order } = toSql({ filter: undefined, orderby }, this.#flavour.dialect, this.#settings());
    this.writer.parameters.push(...(order?.parameters ?? []));
    return ` ORDER BY ${order === undefined ? '' : `${order.text}, `}s."StaffKey"`;
  }
}

/** A filter in two parts, joined by and. */
export interface FilterParts {
  /** The part that an index serves, with other cheap conditions; undefined without an index. */
  readonly seek: BoundExpression | undefined;
  /** The part that is evaluated for each person. */
  readonly rest: BoundExpression | undefined;
}

/** Properties that have an index after the company. */
const indexed: ReadonlySet<string> = new Set(['StaffKey', 'StaffId', 'LastName', 'Npi', 'Email']);

/** Splits a filter by cost: `LastName eq 'X' and Tags/any(…)` reads only the tags of people with that name. */
export function splitFilter(filter: BoundExpression | undefined): FilterParts {
  if (filter === undefined) return { seek: undefined, rest: undefined };
  const conditions = filter.kind === 'and' ? filter.operands : [filter];
  if (!conditions.some(isIndexed)) return { seek: undefined, rest: filter };
  return { seek: joinAll(conditions.filter(isPlain)), rest: joinAll(conditions.filter((one) => !isPlain(one))) };
}

/**
 * Returns whether an index has people in that order. Each index continues with StaffKey: in descending order ties would
 * need a sort, and there may be many nulls.
 */
export function isIndexOrder(orderby: readonly BoundOrder[]): boolean {
  const [order, ...others] = orderby;
  if (order === undefined || others.length > 0) return false;
  const { expression, descending } = order;
  return expression.kind === 'property' && isIndexedPath(expression.path) && !(descending && expression.nullable);
}

const isIndexedPath = (path: readonly string[]): boolean => path.length === 1 && indexed.has(path[0] as string);

/** An equality with a value; null does not count, because most people may have it. */
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
