import { type BoundExpression, type BoundOrder, toSql, toSqlKeys } from '@rostergate/odata';
import { createMapping, JsonWriter } from './json-writer.ts';
import { staffMember } from './shapes.ts';
import type { Sql, SqlFlavour } from './sql-flavour.ts';
import type { Scope } from './staff-store.ts';

/** The parts of a statement about people, as row `s`, with their parameters in the order of the text. */
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

  /** What people are found and ordered by. */
  columns(orderby: readonly BoundOrder[]): string {
    const keys = toSqlKeys({ orderby }, this.#flavour.dialect, this.#settings());
    for (const { parameters } of keys) this.writer.parameters.push(...parameters);
    return ['s."StaffRow" AS "row"', 's."StaffKey" AS "key"', ...keys.map(({ text }, i) => `${text} AS "k${i}"`)].join(
      ', ',
    );
  }

  /** Scope first, then the caller's. */
  where(filter: BoundExpression | undefined, modifiedSince?: string | undefined): string {
    const parts = [`s."CompKey" = ${this.writer.bind(this.#scope.companyKey)}`];
    if (modifiedSince !== undefined) parts.push(`s."LastModifiedDateUtc" >= ${this.writer.bind(modifiedSince)}`);
    const { where } = toSql({ filter, orderby: [] }, this.#flavour.dialect, this.#settings());
    if (where !== undefined) {
      parts.push(where.text);
      this.writer.parameters.push(...where.parameters);
    }
    return parts.join(' AND ');
  }

  orderBy(orderby: readonly BoundOrder[]): string {
    const { orderby: order } = toSql({ filter: undefined, orderby }, this.#flavour.dialect, this.#settings());
    this.writer.parameters.push(...(order?.parameters ?? []));
    return ` ORDER BY ${order === undefined ? '' : `${order.text}, `}s."StaffKey"`;
  }
}
