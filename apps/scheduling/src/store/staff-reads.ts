import { setImmediate as nextTurn } from 'node:timers/promises';
import { toSql } from '@rostergate/odata';
import { Problem } from '@rostergate/runtime/problem';
import { CompiledQuery, type Kysely } from 'kysely';
import type { StaffQuery } from '../staff-query.ts';
import { createMapping, type Fill, JsonWriter } from './json-writer.ts';
import { type CollectionShape, staffMember } from './shapes.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Scope, StaffList, VersionedJson } from './staff-store.ts';
import type { Tables } from './tables.ts';

/** People whose JSON is made in one go: about 3 ms of the event loop. */
const sliceSize = 100;
const projectionsMax = 200;

interface Sql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export type StaffReads = ReturnType<typeof createStaffReads>;

/** Reads that answer in JSON text. The account's company stands first in every WHERE. */
export function createStaffReads(db: Kysely<Tables>, flavour: SqlFlavour) {
  const projections = new Map<string, Sql>();

  async function select<R>({ text, parameters }: Sql, on = db): Promise<R[]> {
    const { rows } = await on.executeQuery<R>(CompiledQuery.raw(text, parameters as unknown[]));
    return rows;
  }

  /** The person as one JSON text; those without options of their own are made once. */
  function projectionOf(query: StaffQuery, isAdmin: boolean): Sql {
    const key = projectionKey(query, isAdmin);
    const known = key === undefined ? undefined : projections.get(key);
    if (known !== undefined) return known;
    const writer = new JsonWriter(flavour, isAdmin);
    const fill = (name: string): Fill => query.fills.get(name) ?? null;
    const text = writer.object(staffMember, 's', { select: query.select, fill });
    const projection = { text, parameters: writer.parameters };
    if (key !== undefined && projections.size < projectionsMax) projections.set(key, projection);
    return projection;
  }

  /** WHERE and ORDER BY: scope, then the caller's. */
  function conditions(scope: Scope, { options, modifiedSince }: StaffQuery, writer: JsonWriter) {
    const parts = [`s."CompKey" = ${writer.bind(scope.companyKey)}`];
    if (modifiedSince !== undefined) parts.push(`s."LastModifiedDateUtc" >= ${writer.bind(modifiedSince)}`);
    const { where, orderby } = toSql(options, flavour.dialect, {
      mapping: createMapping(staffMember, scope.isAdmin),
      row: 's',
      firstParameter: writer.parameters.length + 1,
    });
    if (where !== undefined) parts.push(where.text);
    writer.parameters.push(...(where?.parameters ?? []), ...(orderby?.parameters ?? []));
    const order = `${orderby === undefined ? '' : `${orderby.text}, `}s."StaffKey"`;
    return { where: parts.join(' AND '), order };
  }

  /** Row numbers first, in order, and then the people slice by slice: no cursor stays open between turns. */
  async function listStaff(scope: Scope, query: StaffQuery): Promise<StaffList> {
    const projection = projectionOf(query, scope.isAdmin);
    const count = query.options.count ? await countStaff(scope, query) : undefined;
    const writer = new JsonWriter(flavour, scope.isAdmin);
    const { where, order } = conditions(scope, query, writer);
    const window = writer.window(query.options);
    const text = `SELECT s."StaffRow" AS row FROM "staff" AS s WHERE ${where} ORDER BY ${order}${window}`;
    const rows = await select<{ row: number }>({ text, parameters: writer.parameters });
    return { count, size: rows.length, slices: () => readSlices(projection, rows) };
  }

  async function* readSlices(projection: Sql, rows: readonly { row: number }[]): AsyncIterable<string> {
    const list = flavour.parameter(projection.parameters.length + 1);
    const text = `SELECT ${projection.text} AS json FROM ${flavour.pickStaff(list)}`;
    for (let at = 0; at < rows.length; at += sliceSize) {
      if (at > 0) await nextTurn();
      const picked = JSON.stringify(rows.slice(at, at + sliceSize).map(({ row }) => row));
      const people = await select<{ json: string }>({ text, parameters: [...projection.parameters, picked] });
      yield people.map(({ json }) => json).join(',');
    }
  }

  async function countStaff(scope: Scope, query: StaffQuery): Promise<number> {
    const writer = new JsonWriter(flavour, scope.isAdmin);
    const { where } = conditions(scope, unordered(query), writer);
    const text = `SELECT count(*) AS count FROM "staff" AS s WHERE ${where}`;
    const [found] = await select<{ count: number }>({ text, parameters: writer.parameters });
    return Number(found?.count);
  }

  async function readStaff(scope: Scope, staffKey: string, query: StaffQuery, on = db): Promise<VersionedJson> {
    const projection = projectionOf(query, scope.isAdmin);
    const writer = new JsonWriter(flavour, scope.isAdmin);
    writer.parameters.push(...projection.parameters);
    const { where } = conditions(scope, { ...unordered(query), modifiedSince: undefined }, writer);
    const columns = `${projection.text} AS json, s."Revision" AS revision`;
    const text = `SELECT ${columns} FROM "staff" AS s WHERE ${where} AND s."StaffKey" = ${writer.bind(staffKey)}`;
    const [found] = await select<VersionedJson>({ text, parameters: writer.parameters }, on);
    return found ?? notFound('person', staffKey);
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

/** The same for people of other companies: an answer must not tell that a key is taken elsewhere. */
export function notFound(what: string, key: string): never {
  throw new Problem('not_found', `There is no ${what} with the key ${JSON.stringify(key)} here. Check the key.`);
}

const unordered = (query: StaffQuery): StaffQuery => ({ ...query, options: { ...query.options, orderby: [] } });

function projectionKey({ select, fills }: StaffQuery, isAdmin: boolean): string | undefined {
  let key = isAdmin ? 'admin' : 'other';
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
