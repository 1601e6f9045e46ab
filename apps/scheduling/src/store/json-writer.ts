import { type BoundQuery, type BoundSelect, type SqlMapping, toSql } from '@rostergate/odata';
import { entityOf } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';
import { type CollectionShape, isHiddenFrom, type Shape, staffMember, storedCollections } from './shapes.ts';
import { quoteText, type Sql, type SqlFlavour } from './sql-flavour.ts';

/** Which elements of a collection are read: null for null in place of the array, `true` for all. */
export type Fill = BoundQuery | true | null;

export interface ObjectChoice {
  /** Undefined: every property. */
  readonly select?: readonly BoundSelect[] | undefined;
  /** Which elements of each collection are read. Default: all. */
  readonly fill?: (collection: string) => Fill;
  readonly lead?: string;
  /** A row with stored JSON of the object, used for whole objects and collections. */
  readonly stored?: StoredParts | undefined;
}

export interface StoredParts {
  readonly row: string;
  /** The column with all scalar members, without the closing brace. */
  readonly scalars: string;
  /** Names of the collections that have a column of their own. */
  readonly collections: readonly string[];
}

/**
 * Writes SQL that returns JSON text. Values become parameters in the order of the text; names come from shapes only.
 * Data that the caller may not see is replaced by an empty value before any filter.
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

  /** Adds a parameter and returns its placeholder. */
  bind(value: unknown): string {
    return this.#flavour.parameter(this.parameters.push(value));
  }

  /** Returns the SQL of the JSON object of a row. */
  object(shape: Shape, row: string, choice: ObjectChoice = {}): string {
    const parts = this.#members(shape, row, choice);
    const { lead = '' } = choice;
    if (parts.length === 0) return quoteText(`${lead}{}`);
    return this.#flavour.concat(joinLiterals([...(lead === '' ? [] : [quoteText(lead)]), ...parts, "'}'"]));
  }

  /** Returns the SQL of the object up to its first collection, without the closing brace. */
  scalars(shape: Shape, row: string): string {
    const select = scalarNames(shape).map((property) => ({ property, select: undefined }));
    return this.#flavour.concat(joinLiterals(this.#members(shape, row, { select })));
  }

  #members(shape: Shape, row: string, { select, fill = () => true, stored }: ObjectChoice): string[] {
    const { names, scalars, collections } = entityOf(shape.schema);
    const known = new Map(scalars.map((scalar) => [scalar.name, scalar]));
    const collectionNames = new Set(collections.map((collection) => collection.name));
    const selected = select === undefined ? undefined : new Map(select.map((one) => [one.property, one]));
    const parts: string[] = [];
    const isStored = stored !== undefined && selected === undefined;
    if (isStored) parts.push(`${stored.row}."${stored.scalars}"`);
    for (const name of isStored ? names.slice(scalarNames(shape).length) : names) {
      if (selected !== undefined && !selected.has(name)) continue;
      const key = `${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      parts.push(quoteText(key));
      const scalar = known.get(name);
      if (scalar !== undefined) {
        const isHidden = scalar.adminOnly && !this.#isAdmin;
        parts.push(isHidden ? "'null'" : this.#flavour.json(columnSql(shape, name, row), scalar.kind));
      } else if (collectionNames.has(name)) {
        const collection = shape.collections?.[name];
        if (collection === undefined) throw new TypeError(`The shape of ${shape.schema} lacks ${name}.`);
        const ready = stored?.collections.includes(name) ? `${stored.row}."${name}"` : undefined;
        parts.push(this.#collection(collection, row, fill(name), selected?.get(name)?.select, ready));
      } else {
        const object = shape.objects?.[name];
        if (object === undefined) throw new TypeError(`The shape of ${shape.schema} lacks ${name}.`);
        parts.push(this.object(object.shape, object.row(row)));
      }
    }
    return parts;
  }

  #collection(
    collection: CollectionShape,
    parent: string,
    fill: Fill,
    select: ObjectChoice['select'],
    ready: string | undefined,
  ): string {
    if (fill === null) return "'null'";
    if (isHiddenFrom({ isAdmin: this.#isAdmin }, collection)) return "'[]'";
    if (ready !== undefined && fill === true && select === undefined) return ready;
    return `(${this.list(collection, parent, fill === true ? undefined : fill, { select })})`;
  }

  /** Returns a SELECT of the JSON array of a collection's elements. */
  list(collection: CollectionShape, parent: string, query?: BoundQuery, choice: ObjectChoice = {}): string {
    const row = `c${++this.#aliases}`;
    const { element } = collection;
    const item = this.object(element, row, { ...choice, select: query?.select ?? choice.select });
    const source = `FROM ${collection.from(row, parent)} WHERE ${collection.where(row, parent)}`;
    const order = collection.order(row);
    if (query === undefined) return this.#aggregate(`SELECT ${item} AS item ${source} ORDER BY ${order}`);
    const { where, orderby } = toSql(query, this.#flavour.dialect, {
      mapping: createMapping(element, this.#isAdmin, this.#flavour),
      row,
      firstParameter: this.parameters.length + 1,
    });
    this.parameters.push(...(where?.parameters ?? []), ...(orderby?.parameters ?? []));
    return this.#aggregate(
      `SELECT ${item} AS item ${source}${where === undefined ? '' : ` AND ${where.text}`} ` +
        `ORDER BY ${orderby === undefined ? '' : `${orderby.text}, `}${order}${this.window(query)}`,
    );
  }

  /** Sorts below the aggregate, where an index can provide the order; a sort within the aggregate always costs time. */
  #aggregate(items: string): string {
    return `SELECT ${this.#flavour.list('item')} FROM (${items}) AS items`;
  }

  /** Returns LIMIT and OFFSET; empty when neither is requested. */
  window({ top, skip = 0 }: Pick<BoundQuery, 'top' | 'skip'>): string {
    if (top === undefined && skip === 0) return '';
    const limit = top === undefined ? this.#flavour.noLimit : this.bind(top);
    return ` LIMIT ${limit} OFFSET ${this.bind(skip)}`;
  }
}

const literal = /^'(?:[^']|'')*'$/;

/** Joins adjacent literals: each argument costs about as much as a short column. */
function joinLiterals(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before !== undefined && literal.test(part) && literal.test(before)) {
      joined[joined.length - 1] = before.slice(0, -1) + part.slice(1);
    } else joined.push(part);
  }
  return joined;
}

/** Returns the names before the first collection. They are stored as one text, so they must be adjacent. */
function scalarNames({ schema }: Shape): readonly string[] {
  const { names, collections } = entityOf(schema);
  const isCollection = new Set(collections.map(({ name }) => name));
  const first = names.findIndex((name) => isCollection.has(name));
  const scalars = first < 0 ? names : names.slice(0, first);
  if (names.slice(scalars.length).some((name) => !isCollection.has(name))) {
    throw new TypeError(`The contract's ${schema} has a property behind its first collection.`);
  }
  return scalars;
}

function columnSql(shape: Shape, name: string, row: string): string {
  const column = shape.columns?.[name] ?? name;
  return typeof column === 'string' ? `${row}."${column}"` : column(row);
}

const mappings = new WeakMap<SqlFlavour, { readonly admin: Mappings; readonly other: Mappings }>();
type Mappings = Map<Shape, SqlMapping>;

/** Returns the mapping of a shape for filters. Collections that the account may not see have no elements. */
export function createMapping(shape: Shape, isAdmin: boolean, flavour: SqlFlavour): SqlMapping {
  let ofFlavour = mappings.get(flavour);
  if (ofFlavour === undefined) {
    ofFlavour = { admin: new Map(), other: new Map() };
    mappings.set(flavour, ofFlavour);
  }
  const cached = isAdmin ? ofFlavour.admin : ofFlavour.other;
  const known = cached.get(shape);
  if (known !== undefined) return known;
  const { scalars } = entityOf(shape.schema);
  const columns = Object.fromEntries(
    scalars.map(({ name, adminOnly }) => [
      name,
      adminOnly && !isAdmin ? () => 'NULL' : (shape.columns?.[name] ?? name),
    ]),
  );
  const { inTime } = flavour;
  const collections = Object.fromEntries(
    Object.entries(shape.collections ?? {}).map(([name, collection]) => {
      const isHidden = isHiddenFrom({ isAdmin }, collection);
      // Nested any and all run here, so only here can a statement be ended that exceeds its time.
      const where = (row: string, parent: string) =>
        isHidden ? '1 = 0' : collection.where(row, parent) + (inTime === undefined ? '' : ` AND ${inTime}`);
      return [name, { from: collection.from, where, element: createMapping(collection.element, isAdmin, flavour) }];
    }),
  );
  const mapping = { columns, collections };
  cached.set(shape, mapping);
  return mapping;
}

/** SQL for a person as one JSON text. */
export interface Projection extends Sql {
  /** Whether it reads the stored JSON. */
  readonly isStored: boolean;
  /** Whether the cost per person is about the same for every query. */
  readonly isReady: boolean;
}

export interface ProjectionChoice {
  readonly isAdmin: boolean;
  /** The row that has the stored JSON; undefined to read only the tables. */
  readonly storedRow?: 's' | 'd';
  readonly lead?: string;
}

const projectionsMax = 400;

/** Returns a function for the SELECT list of row `s`. Projections without nested options are cached, the newest ones. */
export function createProjections(flavour: SqlFlavour): (query: StaffQuery, choice: ProjectionChoice) => Projection {
  const cached = new Map<string, Projection>();
  return (query, choice) => {
    const key = keyOf(query, choice);
    const known = key === undefined ? undefined : cached.get(key);
    if (known !== undefined) return known;
    const projection = createProjection(flavour, query, choice);
    if (key === undefined) return projection;
    if (cached.size >= projectionsMax) cached.delete(cached.keys().next().value as string);
    cached.set(key, projection);
    return projection;
  };
}

/** Whole people and collections come from the stored JSON; selected properties come from the tables. */
function createProjection(
  flavour: SqlFlavour,
  { select, fills }: StaffQuery,
  { isAdmin, storedRow, lead = '' }: ProjectionChoice,
): Projection {
  const writer = new JsonWriter(flavour, isAdmin);
  const fill = (name: string): Fill => fills.get(name) ?? null;
  const isStored = select === undefined && storedRow !== undefined;
  const stored = isStored ? { row: storedRow, scalars: 'Person', collections: storedCollections } : undefined;
  const text = writer.object(staffMember, 's', { select, fill, stored, lead });
  const isWhole = [...fills.values()].every((query) => query === true);
  return { text, parameters: writer.parameters, isStored, isReady: isStored && isWhole };
}

function keyOf({ select, fills }: StaffQuery, { isAdmin, storedRow, lead }: ProjectionChoice): string | undefined {
  let key = `${isAdmin} ${storedRow} ${lead} `;
  for (const [name, fill] of fills) {
    if (fill !== true) return undefined;
    key += `+${name}`;
  }
  for (const one of select ?? []) {
    if (one.select !== undefined) return undefined;
    key += `,${one.property}`;
  }
  return key;
}
