import { type BoundQuery, type BoundSelect, type SqlMapping, toSql } from '@rostergate/odata';
import { entityOf } from '../entity-model.ts';
import type { CollectionShape, Shape } from './shapes.ts';
import { quoteText, type SqlFlavour } from './sql-flavour.ts';

/** What a collection is read with: null is left null, `true` is all of it. */
export type Fill = BoundQuery | true | null;

export interface ObjectChoice {
  /** Undefined: every property. */
  readonly select?: readonly BoundSelect[] | undefined;
  /** How each collection is read. Default: all of it. */
  readonly fill?: (collection: string) => Fill;
}

/**
 * Writes the SQL that answers in JSON text. Values are parameters, in the order in which they stand in the text;
 * names come from shapes alone. What the caller may not see is empty before anything else is looked at.
 */
export class JsonWriter {
  readonly parameters: unknown[] = [];
  readonly #flavour: SqlFlavour;
  readonly #isAdmin: boolean;
  #aliases = 0;

  constructor(flavour: SqlFlavour, isAdmin: boolean) {
    this.#flavour = flavour;
    this.#isAdmin = isAdmin;
  }

  /** Takes a value and gives what stands for it. */
  bind(value: unknown): string {
    return this.#flavour.parameter(this.parameters.push(value));
  }

  /** The JSON object of a row. */
  object(shape: Shape, row: string, { select, fill = () => true }: ObjectChoice = {}): string {
    const { names, scalars, collections } = entityOf(shape.schema);
    const kinds = new Map(scalars.map((scalar) => [scalar.name, scalar.kind]));
    const collectionNames = new Set(collections.map((collection) => collection.name));
    const selected = select === undefined ? undefined : new Map(select.map((one) => [one.property, one]));
    const parts: string[] = [];
    for (const name of names) {
      if (selected !== undefined && !selected.has(name)) continue;
      const key = `${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      parts.push(quoteText(key));
      const kind = kinds.get(name);
      if (kind !== undefined) {
        parts.push(this.#flavour.json(columnSql(shape, name, row), kind));
      } else if (collectionNames.has(name)) {
        const collection = shape.collections?.[name];
        if (collection === undefined) throw new TypeError(`The shape of ${shape.schema} lacks ${name}.`);
        parts.push(this.#collection(collection, row, fill(name), selected?.get(name)?.select));
      } else {
        const object = shape.objects?.[name];
        if (object === undefined) throw new TypeError(`The shape of ${shape.schema} lacks ${name}.`);
        parts.push(this.object(object.shape, object.row(row)));
      }
    }
    return parts.length === 0 ? "'{}'" : this.#flavour.concat([...parts, "'}'"]);
  }

  #collection(collection: CollectionShape, parent: string, fill: Fill, select: ObjectChoice['select']): string {
    if (fill === null) return "'null'";
    if (collection.adminOnly && !this.#isAdmin) return "'[]'";
    return `(${this.list(collection, parent, fill === true ? undefined : fill, { select })})`;
  }

  /** A SELECT of the JSON array of a collection's elements. */
  list(collection: CollectionShape, parent: string, query?: BoundQuery, choice: ObjectChoice = {}): string {
    const row = `c${++this.#aliases}`;
    const { element } = collection;
    const item = this.object(element, row, { ...choice, select: query?.select ?? choice.select });
    const source = `FROM ${collection.from(row, parent)} WHERE ${collection.where(row, parent)}`;
    const order = collection.order(row);
    if (query === undefined) return this.#aggregate(`SELECT ${item} AS item ${source} ORDER BY ${order}`);
    const { where, orderby } = toSql(query, this.#flavour.dialect, {
      mapping: createMapping(element, this.#isAdmin),
      row,
      firstParameter: this.parameters.length + 1,
    });
    this.parameters.push(...(where?.parameters ?? []), ...(orderby?.parameters ?? []));
    return this.#aggregate(
      `SELECT ${item} AS item ${source}${where === undefined ? '' : ` AND ${where.text}`} ` +
        `ORDER BY ${orderby === undefined ? '' : `${orderby.text}, `}${order}${this.window(query)}`,
    );
  }

  /** Sorting beneath the aggregate costs nothing where an index has the order; within the aggregate it always does. */
  #aggregate(items: string): string {
    return `SELECT ${this.#flavour.list('item')} FROM (${items}) AS items`;
  }

  /** LIMIT and OFFSET, where they are asked for. */
  window({ top, skip = 0 }: Pick<BoundQuery, 'top' | 'skip'>): string {
    if (top === undefined && skip === 0) return '';
    const limit = top === undefined ? this.#flavour.noLimit : this.bind(top);
    return ` LIMIT ${limit} OFFSET ${this.bind(skip)}`;
  }
}

function columnSql(shape: Shape, name: string, row: string): string {
  const column = shape.columns?.[name] ?? name;
  return typeof column === 'string' ? `${row}."${column}"` : column(row);
}

const mappings = { admin: new Map<Shape, SqlMapping>(), other: new Map<Shape, SqlMapping>() };

/** A shape as filters see it. Collections that the account may not see have no elements. */
export function createMapping(shape: Shape, isAdmin: boolean): SqlMapping {
  const made = isAdmin ? mappings.admin : mappings.other;
  const known = made.get(shape);
  if (known !== undefined) return known;
  const { scalars } = entityOf(shape.schema);
  const columns = Object.fromEntries(scalars.map(({ name }) => [name, shape.columns?.[name] ?? name]));
  const collections = Object.fromEntries(
    Object.entries(shape.collections ?? {}).map(([name, collection]) => {
      const where = collection.adminOnly && !isAdmin ? () => '1 = 0' : collection.where;
      return [name, { from: collection.from, where, element: createMapping(collection.element, isAdmin) }];
    }),
  );
  const mapping = { columns, collections };
  made.set(shape, mapping);
  return mapping;
}
