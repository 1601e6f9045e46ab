import { Problem } from '@rostergate/server/problem';
import type { Kysely } from 'kysely';
import type { StaffQuery } from '../staff-query.ts';
import { type Fill, JsonWriter } from './json-writer.ts';
import { Pace, queryTooCostly, rowMsMax } from './pace.ts';
import { readNewestStamp, type VersionedJson } from './person-version.ts';
import { createReadEngine, OutOfTime, type ReadEngine } from './read-engine.ts';
import type { Scope } from './scope.ts';
import { type CollectionShape, isHiddenFrom } from './shapes.ts';
import { quoteText, type Sql, type SqlFlavour } from './sql-flavour.ts';
import { formOf } from './staff-documents.ts';
import { createStaffFinder, type FoundStaff } from './staff-finder.ts';
import { createProjections, type Projection } from './staff-projections.ts';
import { StaffStatement } from './staff-statement.ts';
import type { ListChoice, StaffList } from './staff-store.ts';
import type { Tables } from './tables.ts';

/** People with stored JSON per slice, about 200 KB. Far larger slices cost more than they save. */
const readyAtOnce = 48;

/** The condition that the person, as row `s`, has not changed since. */
const notLaterThan = (until: string) =>
  ` AND EXISTS (SELECT 1 FROM "staff" AS m WHERE m."StaffRow" = s."StaffRow" AND m."LastModifiedDateUtc" <= ${until})`;

/** The columns of `PersonVersion`. */
const version = 's."Revision" AS revision, s."LastModifiedDateUtc" AS modified';

export interface StaffReadsOptions {
  readonly engine: ReadEngine;
  readonly flavour: SqlFlavour;
  /** CPU time that a query may use where it runs in this process. */
  readonly budgetMs: number;
}

export type StaffReads = ReturnType<typeof createStaffReads>;

/** Returns the reads that produce JSON text. Every WHERE begins with the account's company. */
export function createStaffReads({ engine, flavour, budgetMs }: StaffReadsOptions) {
  const listProjectionOf = createProjections(flavour, { storedRow: 's', lead: ',' });
  const singleProjectionOf = createProjections(flavour, { storedRow: 'd' });
  // Documents that another version of this program has stored are read from the tables instead.
  const listFromTablesOf = createProjections(flavour, { lead: ',' });
  const singleFromTablesOf = createProjections(flavour, {});
  const form = quoteText(formOf(flavour));
  const documents = ` JOIN "staff_documents" AS d ON d."StaffRow" = s."StaffRow" AND d."Form" = ${form}`;
  const findStaff = createStaffFinder({ engine, flavour });
  const select = <R>(sql: Sql, on?: Kysely<Tables>) =>
    on === undefined ? engine.select<R>(sql) : createReadEngine(on).select<R>(sql);

  /** Finds the row numbers first, then reads the people slice by slice, so that no cursor stays open in between. */
  async function listStaff(scope: Scope, query: StaffQuery, choice: ListChoice = {}): Promise<StaffList> {
    const { skip = query.options.skip ?? 0, top = query.options.top, after, isPage, signal } = choice;
    const pace = new Pace({ budgetMs, signal });
    // Changes that become visible from here on belong to the next list of changes, so none is lost.
    const since = query.modifiedSince;
    const until = since && (choice.until ?? (await readNewestStamp(engine, flavour, scope.companyKey)) ?? '');
    const bounded = since === undefined ? query : { ...query, modifiedSince: { ...since, until } };
    const found = await findStaff(scope, bounded, { skip, top, after, isPage }, pace);
    const projection = listProjectionOf(query, scope.isAdmin);
    const fallback = projection.isStored ? listFromTablesOf(query, scope.isAdmin) : undefined;
    return {
      count: found.count,
      size: found.rows.length,
      next: found.next,
      until,
      slices: () => readSlices(scope, { projection, fallback }, { ...found, until }, pace),
    };
  }

  async function* readSlices(
    scope: Scope,
    { projection, fallback }: ListProjections,
    { rows, until }: FoundStaff & Pick<StaffList, 'until'>,
    pace: Pace,
  ): AsyncGenerator<string | Uint8Array> {
    const read = createSliceRead(projection, scope, until);
    const readTables = fallback && createSliceRead(fallback, scope, until);
    const readPiece = async (piece: readonly number[], run: (sql: Sql) => Joined[] | Promise<Joined[]>) => {
      const [joined] = await run(read(piece));
      if (readTables === undefined || Number(joined?.people) === piece.length) return joined?.json ?? '';
      const [again] = await run(readTables(piece));
      return again?.json ?? '';
    };
    const { selectWithin } = engine;
    if (projection.isReady || selectWithin === undefined) {
      for (let at = 0; at < rows.length; at += readyAtOnce) {
        if (at > 0) await pace.pauseWhenDue();
        yield await pace.timed(() =>
          readPiece(rows.slice(at, at + readyAtOnce), (sql) => engine.select<Joined>(sql, pace.signal)),
        );
      }
      return;
    }
    yield* pace.each(rows, (piece, ms) => readPiece(piece, (sql) => selectWithin<Joined>(sql, ms)));
  }

  /** Returns the statement that reads people by their row numbers. */
  function createSliceRead(projection: Projection, { companyKey }: Scope, until: string | undefined) {
    const n = projection.parameters.length;
    // Stored JSON needs nothing of the person's own row.
    const people = flavour.pickStaff(flavour.parameter(n + 1), projection.isStored ? 'staff_documents' : 'staff');
    const where =
      `s."CompKey" = ${flavour.parameter(n + 2)}` +
      (projection.isStored ? ` AND s."Form" = ${form}` : '') +
      (until === undefined ? '' : notLaterThan(flavour.parameter(n + 3)));
    const item = flavour.joinPicked(projection.text);
    const text = `SELECT ${item} AS json, count(*) AS "people" FROM ${people} WHERE ${where}`;
    const bounds = until === undefined ? [] : [until];
    return (piece: readonly number[]): Sql => {
      return { text, parameters: [...projection.parameters, JSON.stringify(piece), companyKey, ...bounds] };
    };
  }

  const singles = new WeakMap<StaffQuery, Map<string, Single>>();

  /** Returns the statement that reads one person. It is cached per query, because queries repeat. */
  function singleOf(query: StaffQuery, { isAdmin }: Scope, isStored: boolean): Single {
    let ofQuery = singles.get(query);
    if (ofQuery === undefined) {
      ofQuery = new Map();
      singles.set(query, ofQuery);
    }
    const name = `${isAdmin} ${isStored}`;
    let single = ofQuery.get(name);
    if (single === undefined) {
      const projection = (isStored ? singleProjectionOf : singleFromTablesOf)(query, isAdmin);
      single = createSingle(query, { companyKey: '', isAdmin }, projection);
      ofQuery.set(name, single);
    }
    return single;
  }

  function createSingle(query: StaffQuery, scope: Scope, projection: Projection): Single {
    const { filter } = query.options;
    const statement = new StaffStatement(flavour, scope);
    statement.writer.parameters.push(...projection.parameters);
    const where = `${statement.where(filter)} AND s."StaffKey" = ${statement.writer.bind('')}`;
    const columns = `${projection.text} AS json, ${version}`;
    const text = `SELECT ${columns} FROM "staff" AS s${projection.isStored ? documents : ''} WHERE ${where}`;
    const companyAt = projection.parameters.length;
    const { isStored } = projection;
    return { ...statement.toSql(text), companyAt, isStored, isCostly: filter !== undefined || !projection.isReady };
  }

  async function readStaff(
    scope: Scope,
    staffKey: string,
    query: StaffQuery,
    on?: Kysely<Tables>,
  ): Promise<VersionedJson> {
    const single = singleOf(query, scope, true);
    let found = await readSingle(single, scope, staffKey, on);
    if (found === undefined && single.isStored) {
      found = await readSingle(singleOf(query, scope, false), scope, staffKey, on);
    }
    return found ?? notFound('person', staffKey);
  }

  async function readSingle(
    { text, parameters, companyAt, isCostly }: Single,
    { companyKey }: Scope,
    staffKey: string,
    on: Kysely<Tables> | undefined,
  ): Promise<VersionedJson | undefined> {
    const values = parameters.slice();
    values[companyAt] = companyKey;
    values[values.length - 1] = staffKey;
    const sql = { text, parameters: values };
    const isPaced = isCostly && on === undefined;
    const [found] = isPaced ? await selectOne<VersionedJson>(sql) : await select<VersionedJson>(sql, on);
    return found;
  }

  /** With the caller's options even one person may take long. */
  async function selectOne<R>(sql: Sql): Promise<R[]> {
    if (engine.selectWithin === undefined) return engine.select<R>(sql);
    try {
      return await engine.selectWithin<R>(sql, Math.min(rowMsMax, budgetMs));
    } catch (error) {
      throw error instanceof OutOfTime ? queryTooCostly(Math.min(rowMsMax, budgetMs)) : error;
    }
  }

  /** Returns a collection of a person as a JSON array. */
  async function readCollection(
    scope: Scope,
    staffKey: string,
    collection: CollectionShape,
    fill?: (name: string) => Fill,
  ): Promise<VersionedJson> {
    const writer = new JsonWriter(flavour, scope.isAdmin);
    const list = isHiddenFrom(scope, collection)
      ? "'[]'"
      : `(${writer.list(collection, 's', undefined, fill === undefined ? {} : { fill })})`;
    const where = `s."CompKey" = ${writer.bind(scope.companyKey)} AND s."StaffKey" = ${writer.bind(staffKey)}`;
    const text = `SELECT ${list} AS json, ${version} FROM "staff" AS s WHERE ${where}`;
    const [found] = await select<VersionedJson>({ text, parameters: writer.parameters });
    return found ?? notFound('person', staffKey);
  }

  /** Returns one element of a collection of a person, by the value of a column. */
  async function readEntry(
    on: Kysely<Tables>,
    staffRow: number,
    collection: CollectionShape,
    column: string,
    value: string | number,
  ): Promise<string> {
    // Only admins write, and the response shows what they wrote.
    const writer = new JsonWriter(flavour, true);
    const item = writer.object(collection.element, 'c');
    const text =
      `SELECT ${item} AS json FROM "staff" AS s, ${collection.from('c', 's')} ` +
      `WHERE ${collection.where('c', 's')} AND s."StaffRow" = ${writer.bind(staffRow)} AND c."${column}" = ${writer.bind(value)}`;
    const [found] = await select<{ json: string }>({ text, parameters: writer.parameters }, on);
    if (found === undefined) throw new Error(`What was written to ${collection.element.schema} is not there.`);
    return found.json;
  }

  return { listStaff, readStaff, readCollection, readEntry };
}

interface Single extends Sql {
  /** Index of the company's parameter; the last parameter is the key. */
  readonly companyAt: number;
  readonly isStored: boolean;
  readonly isCostly: boolean;
}

interface Joined {
  /** Null when no people are left. */
  readonly json: string | Uint8Array | null;
  readonly people: number;
}

interface ListProjections {
  readonly projection: Projection;
  /** The same from the tables, for people without a document of this version. */
  readonly fallback: Projection | undefined;
}

/** Used for people of other companies too: the response must not reveal that a key exists elsewhere. */
export function notFound(what: string, key: string): never {
  throw new Problem('not_found', `There is no ${what} with the key ${JSON.stringify(key)} here. Check the key.`);
}
