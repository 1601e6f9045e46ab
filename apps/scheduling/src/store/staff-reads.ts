import { Problem } from '@rostergate/runtime/problem';
import type { Kysely } from 'kysely';
import type { StaffQuery } from '../staff-query.ts';
import { type Fill, JsonWriter } from './json-writer.ts';
import { Pace, queryTooCostly, rowMsMax } from './pace.ts';
import { createReadEngine, OutOfTime, type ReadEngine } from './read-engine.ts';
import type { CollectionShape } from './shapes.ts';
import type { Sql, SqlFlavour } from './sql-flavour.ts';
import { createStaffFinder, type FoundStaff } from './staff-finder.ts';
import { createProjections, type Projection } from './staff-projections.ts';
import { StaffStatement } from './staff-statement.ts';
import type { ListChoice, Scope, StaffList, VersionedJson } from './staff-store.ts';
import type { Tables } from './tables.ts';

/** People whose ready-made JSON goes out in one piece: some 200 KB. Far larger ones cost more than they save. */
const readyAtOnce = 48;

const documents = ' JOIN "staff_documents" AS d ON d."StaffRow" = s."StaffRow"';

export interface StaffReadsOptions {
  readonly engine: ReadEngine;
  readonly flavour: SqlFlavour;
  /** How much of the processor's time a query may take where it runs in this process. */
  readonly budgetMs: number;
}

export type StaffReads = ReturnType<typeof createStaffReads>;

/** Reads that answer in JSON text. The account's company stands first in every WHERE. */
export function createStaffReads({ engine, flavour, budgetMs }: StaffReadsOptions) {
  const listProjectionOf = createProjections(flavour, { storedRow: 's', lead: ',' });
  const singleProjectionOf = createProjections(flavour, { storedRow: 'd' });
  const findStaff = createStaffFinder({ engine, flavour });
  const select = <R>(sql: Sql, on?: Kysely<Tables>) =>
    on === undefined ? engine.select<R>(sql) : createReadEngine(on).select<R>(sql);

  /** Row numbers first, in order, and then the people piece by piece: no cursor stays open between turns. */
  async function listStaff(scope: Scope, query: StaffQuery, choice: ListChoice = {}): Promise<StaffList> {
    const { skip = query.options.skip ?? 0, top = query.options.top, after, isPage, isAbandoned } = choice;
    const pace = new Pace({ budgetMs, isAbandoned });
    const found = await findStaff(scope, query, { skip, top, after, isPage }, pace);
    const projection = listProjectionOf(query, scope.isAdmin);
    return {
      count: found.count,
      size: found.rows.length,
      next: found.next,
      slices: () => readSlices(scope, projection, found, pace),
    };
  }

  async function* readSlices(
    scope: Scope,
    projection: Projection,
    { rows }: FoundStaff,
    pace: Pace,
  ): AsyncGenerator<string | Uint8Array> {
    const n = projection.parameters.length;
    // What is ready-made needs nothing of the person's own row.
    const people = flavour.pickStaff(flavour.parameter(n + 1), projection.isStored ? 'staff_documents' : 'staff');
    const where = `s."CompKey" = ${flavour.parameter(n + 2)}`;
    const item = flavour.joinPicked(projection.text);
    const text = `SELECT ${item} AS json FROM ${people} WHERE ${where}`;
    const read = (piece: readonly number[]): Sql => {
      return { text, parameters: [...projection.parameters, JSON.stringify(piece), scope.companyKey] };
    };
    const { selectWithin } = engine;
    if (projection.isReady || selectWithin === undefined) {
      for (let at = 0; at < rows.length; at += readyAtOnce) {
        if (at > 0) await pace.breathe();
        const [joined] = await pace.timed(() => select<Joined>(read(rows.slice(at, at + readyAtOnce))));
        yield joined?.json ?? '';
      }
      return;
    }
    for await (const [joined] of pace.each(rows, (piece, ms) => selectWithin<Joined>(read(piece), ms))) {
      yield joined?.json ?? '';
    }
  }

  const singles = new WeakMap<StaffQuery, { admin?: Single; other?: Single }>();

  /** The statement that reads one person; made once for a query, since the same queries come again and again. */
  function singleOf(query: StaffQuery, scope: Scope): Single {
    let made = singles.get(query);
    if (made === undefined) {
      made = {};
      singles.set(query, made);
    }
    const name = scope.isAdmin ? 'admin' : 'other';
    made[name] ??= createSingle(query, scope);
    return made[name];
  }

  function createSingle(query: StaffQuery, scope: Scope): Single {
    const { filter } = query.options;
    const projection = singleProjectionOf(query, scope.isAdmin);
    const statement = new StaffStatement(flavour, scope);
    statement.writer.parameters.push(...projection.parameters);
    const where = `${statement.where(filter)} AND s."StaffKey" = ${statement.writer.bind('')}`;
    const columns = `${projection.text} AS json, s."Revision" AS revision`;
    const text = `SELECT ${columns} FROM "staff" AS s${projection.isStored ? documents : ''} WHERE ${where}`;
    const companyAt = projection.parameters.length;
    return { ...statement.toSql(text), companyAt, isCostly: filter !== undefined || !projection.isReady };
  }

  async function readStaff(
    scope: Scope,
    staffKey: string,
    query: StaffQuery,
    on?: Kysely<Tables>,
  ): Promise<VersionedJson> {
    const { text, parameters, companyAt, isCostly } = singleOf(query, scope);
    const values = parameters.slice();
    values[companyAt] = scope.companyKey;
    values[values.length - 1] = staffKey;
    const sql = { text, parameters: values };
    const [found] =
      isCostly && on === undefined ? await selectOne<VersionedJson>(sql) : await select<VersionedJson>(sql, on);
    return found ?? notFound('person', staffKey);
  }

  /** What depends on the caller's options may take long even for one person. */
  async function selectOne<R>(sql: Sql): Promise<R[]> {
    if (engine.selectWithin === undefined) return engine.select<R>(sql);
    try {
      return await engine.selectWithin<R>(sql, Math.min(rowMsMax, budgetMs));
    } catch (error) {
      throw error instanceof OutOfTime ? queryTooCostly(Math.min(rowMsMax, budgetMs)) : error;
    }
  }

  /** All that a person has of something, as a JSON array. */
  async function readCollection(
    scope: Scope,
    staffKey: string,
    collection: CollectionShape,
    fill?: (name: string) => Fill,
  ): Promise<VersionedJson> {
    const writer = new JsonWriter(flavour, scope.isAdmin);
    const isHidden = collection.adminOnly && !scope.isAdmin;
    const list = isHidden ? "'[]'" : `(${writer.list(collection, 's', undefined, fill === undefined ? {} : { fill })})`;
    const where = `s."CompKey" = ${writer.bind(scope.companyKey)} AND s."StaffKey" = ${writer.bind(staffKey)}`;
    const text = `SELECT ${list} AS json, s."Revision" AS revision FROM "staff" AS s WHERE ${where}`;
    const [found] = await select<VersionedJson>({ text, parameters: writer.parameters });
    return found ?? notFound('person', staffKey);
  }

  /** One element of a collection of a person, by the value of one of its columns. */
  async function readEntry(
    on: Kysely<Tables>,
    staffRow: number,
    collection: CollectionShape,
    column: string,
    value: string | number,
  ): Promise<string> {
    // Only admins write, and what they wrote is what they are answered with.
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
  /** Which parameter is the company; the last one is the key. */
  readonly companyAt: number;
  readonly isCostly: boolean;
}

interface Joined {
  /** Null where nobody is left. */
  readonly json: string | Uint8Array | null;
}

/** The same for people of other companies: an answer must not tell that a key is taken elsewhere. */
export function notFound(what: string, key: string): never {
  throw new Problem('not_found', `There is no ${what} with the key ${JSON.stringify(key)} here. Check the key.`);
}
