import { Problem } from '@rostergate/server/problem';
import type { Kysely } from 'kysely';
import type { StaffQuery } from '../staff-query.ts';
import { type ChangePlace, createChangedStaffFinder, type RemovedPerson } from './changed-staff-finder.ts';
import { createProjections, type Fill, JsonWriter, type Projection } from './json-writer.ts';
import { Pace, queryTooCostly, rowMsMax } from './pace.ts';
import { readNewestStamp, type VersionedJson } from './person-version.ts';
import { createReadEngine, OutOfTime, type ReadEngine } from './read-engine.ts';
import { isComplete } from './removed-staff.ts';
import type { Scope } from './scope.ts';
import { type CollectionShape, isHiddenFrom } from './shapes.ts';
import { quoteText, type Sql, type SqlFlavour } from './sql-flavour.ts';
import { formOf } from './staff-documents.ts';
import { createStaffFinder, type FoundStaff } from './staff-finder.ts';
import type { Place } from './staff-order.ts';
import { StaffStatement } from './staff-statement.ts';
import type { Tables } from './tables.ts';

/** People with stored JSON per slice, about 200 KB. Far larger slices cost more than they save. */
const readyAtOnce = 48;

/** The condition that the person, as row `s`, has not changed since. */
const notLaterThan = (until: string) =>
  ` AND EXISTS (SELECT 1 FROM "staff" AS m WHERE m."StaffRow" = s."StaffRow" AND m."LastModifiedDateUtc" <= ${until})`;

/** The columns of `PersonVersion`. */
const version = 's."Revision" AS revision, s."LastModifiedDateUtc" AS modified';

/** Which part of a list is requested; `skip` and `top` replace those of the query. */
export interface ListChoice {
  readonly skip?: number | undefined;
  readonly top?: number | undefined;
  /** Only people after this place. */
  readonly after?: Place | undefined;
  /** The upper bound that the first page of a list of changes returned. */
  readonly until?: string | undefined;
  /** Whether `next` is needed. */
  readonly isPage?: boolean | undefined;
  /** The text before each person. Default: a comma. */
  readonly lead?: ',' | '\n' | undefined;
  /** Aborts when the client disconnects; the list then ends with an error. */
  readonly signal?: AbortSignal | undefined;
}

/** Matching people, read in slices so that a large company does not delay other requests. */
export interface StaffList {
  /** Number of matching people regardless of `$top` and `$skip`; undefined unless requested. */
  readonly count: number | undefined;
  readonly size: number;
  /** The place of the last person of a page; undefined when no others follow. */
  readonly next: Place | undefined;
  /** The newest `LastModifiedDateUtc` of a list of changes, for its later pages. */
  readonly until?: string | undefined;
  /** Yields JSON texts of people, the lead before each, as UTF-8 bytes or text. */
  slices(): AsyncIterable<string | Uint8Array>;
}

/** Which part of the changes is requested. */
export interface ChangesChoice {
  readonly after: ChangePlace;
  /** The upper bound that the first page of a round returned. */
  readonly until?: string | undefined;
  readonly top: number;
  readonly signal?: AbortSignal | undefined;
}

/** The changes of a list: its slices contain the people who match, `removed` those who do not. */
export interface StaffChangesList extends Pick<StaffList, 'size' | 'slices'> {
  readonly removed: readonly RemovedPerson[];
  /** The place of the last change of a page; undefined when no others follow. */
  readonly next: ChangePlace | undefined;
  /** The time up to which the round contains changes: the next round begins there. */
  readonly until: string;
}

export interface StaffReadsOptions {
  readonly engine: ReadEngine;
  readonly flavour: SqlFlavour;
  /** CPU time that a query may use where it runs in this process. */
  readonly budgetMs: number;
}

export type StaffReads = ReturnType<typeof createStaffReads>;

/** Returns the reads that produce JSON text. Every WHERE begins with the account's company. */
export function createStaffReads({ engine, flavour, budgetMs }: StaffReadsOptions) {
  const projectionOf = createProjections(flavour);
  const form = quoteText(formOf(flavour));
  const documents = ` JOIN "staff_documents" AS d ON d."StaffRow" = s."StaffRow" AND d."Form" = ${form}`;
  const findStaff = createStaffFinder({ engine, flavour });
  const findChanged = createChangedStaffFinder(engine, flavour);
  const select = <R>(sql: Sql, on?: Kysely<Tables>) =>
    on === undefined ? engine.select<R>(sql) : createReadEngine(on).select<R>(sql);

  /** Finds the row numbers first, then reads the people slice by slice, so that no cursor stays open in between. */
  async function listStaff(scope: Scope, query: StaffQuery, choice: ListChoice = {}): Promise<StaffList> {
    const { skip = query.options.skip ?? 0, top = query.options.top, after, isPage, lead = ',', signal } = choice;
    const pace = new Pace({ budgetMs, signal });
    // Changes that become visible from here on belong to the next list of changes, so none is lost.
    const since = query.modifiedSince;
    const until = since && (choice.until ?? (await readNewestStamp(engine, flavour, scope.companyKey)) ?? '');
    const bounded = since === undefined ? query : { ...query, modifiedSince: { ...since, until } };
    const found = await findStaff(scope, bounded, { skip, top, after, isPage }, pace);
    return {
      count: found.count,
      size: found.rows.length,
      next: found.next,
      until,
      slices: () => readSlices(scope, query, { rows: found.rows, until, lead }, pace),
    };
  }

  /**
   * Finds what has changed after a place, by the same rules as `listStaff`.
   * @throws Problem 410 `changes_gone` when a part of it is no longer stored
   */
  async function listChanges(scope: Scope, query: StaffQuery, choice: ChangesChoice): Promise<StaffChangesList> {
    const { after, top, signal } = choice;
    const pace = new Pace({ budgetMs, signal });
    const newest = (await readNewestStamp(engine, flavour, scope.companyKey)) ?? '';
    const until = choice.until ?? newest;
    const { rows, removed, next } = await findChanged(scope, query, { after, until, top }, pace);
    // Read last, so that a removal which is forgotten meanwhile is noticed. A restored database may lack the time.
    const isStored = after.stamp <= newest && (await isComplete(engine, flavour, scope.companyKey, after));
    if (!isStored) throw changesGone();
    const slices = () => readSlices(scope, query, { rows, until, lead: ',' }, pace);
    return { size: rows.length, removed, next, until, slices };
  }

  async function* readSlices(
    scope: Scope,
    query: StaffQuery,
    { rows, until, lead }: Pick<FoundStaff, 'rows'> & Pick<StaffList, 'until'> & { readonly lead: string },
    pace: Pace,
  ): AsyncGenerator<string | Uint8Array> {
    const projection = projectionOf(query, { isAdmin: scope.isAdmin, storedRow: 's', lead });
    const read = createSliceRead(projection, scope, until);
    const readPiece = async (piece: readonly number[], run: (sql: Sql) => Joined[] | Promise<Joined[]>) => {
      const [joined] = await run(read(piece));
      if (!projection.isStored || Number(joined?.people) === piece.length) return joined?.json ?? '';
      const fromTables = projectionOf(query, { isAdmin: scope.isAdmin, lead });
      const [again] = await run(createSliceRead(fromTables, scope, until)(piece));
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

  async function readStaff(
    scope: Scope,
    staffKey: string,
    query: StaffQuery,
    on?: Kysely<Tables>,
  ): Promise<VersionedJson> {
    const { isAdmin } = scope;
    const stored = projectionOf(query, { isAdmin, storedRow: 'd' });
    let found = await readSingle(stored, scope, staffKey, query, on);
    // Documents that another version of this program has stored are read from the tables instead.
    if (found === undefined && stored.isStored) {
      found = await readSingle(projectionOf(query, { isAdmin }), scope, staffKey, query, on);
    }
    return found ?? notFound('person', staffKey);
  }

  async function readSingle(
    { text, parameters, isStored, isReady }: Projection,
    scope: Scope,
    staffKey: string,
    { options: { filter } }: StaffQuery,
    on: Kysely<Tables> | undefined,
  ): Promise<VersionedJson | undefined> {
    const statement = new StaffStatement(flavour, scope);
    statement.writer.parameters.push(...parameters);
    const where = `${statement.where(filter)} AND s."StaffKey" = ${statement.writer.bind(staffKey)}`;
    const from = `"staff" AS s${isStored ? documents : ''}`;
    const sql = statement.toSql(`SELECT ${text} AS json, ${version} FROM ${from} WHERE ${where}`);
    const isCostly = filter !== undefined || !isReady;
    const [found] = await (isCostly && on === undefined
      ? selectOne<VersionedJson>(sql)
      : select<VersionedJson>(sql, on));
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

  return { listStaff, listChanges, readStaff, readCollection, readEntry };
}

interface Joined {
  /** Null when no people are left. */
  readonly json: string | Uint8Array | null;
  readonly people: number;
}

function changesGone(): Problem {
  const detail = 'its changes are no longer stored';
  const remedy = 'Read the list again with Prefer: odata.track-changes.';
  return new Problem('changes_gone', `$deltatoken: ${detail}. ${remedy}`, {
    errors: [{ parameter: '$deltatoken', detail }],
  });
}

/** Used for people of other companies too: the response must not reveal that a key exists elsewhere. */
export function notFound(what: string, key: string): never {
  throw new Problem('not_found', `There is no ${what} with the key ${JSON.stringify(key)} here. Check the key.`);
}
