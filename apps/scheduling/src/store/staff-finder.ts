import { type BoundExpression, type BoundOrder, orderValues } from '@rostergate/odata';
import type { StaffQuery } from '../staff-query.ts';
import { splitFilter } from './filter-parts.ts';
import type { Pace } from './pace.ts';
import type { ReadEngine } from './read-engine.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { createOrder, mergeInOrder, type Place, type Placed, toPlaceValue } from './staff-order.ts';
import { StaffStatement } from './staff-statement.ts';
import type { Scope } from './staff-store.ts';

/** Which part of those who match is wanted. */
export interface Window {
  readonly skip: number;
  /** Undefined: all. */
  readonly top: number | undefined;
  /** Only those behind this place. */
  readonly after?: Place | undefined;
  /** Whether it has to be known where the last one stands and whether others follow. */
  readonly isPage?: boolean | undefined;
}

export interface FoundStaff {
  /** Row numbers of the people in the window, in order. */
  readonly rows: readonly number[];
  /** How many match whatever the window is; undefined unless `$count` asks for it. */
  readonly count: number | undefined;
  /** Where the last one of a page stands, when others follow. */
  readonly next: Place | undefined;
}

export interface FinderOptions {
  readonly engine: ReadEngine;
  readonly flavour: SqlFlavour;
}

export type FindStaff = (scope: Scope, query: StaffQuery, window: Window, pace: Pace) => Promise<FoundStaff>;

/** Finds people before anything of them is read. The account's company stands first in every WHERE. */
export function createStaffFinder({ engine, flavour }: FinderOptions): FindStaff {
  return engine.selectWithin === undefined
    ? createFinderAtOnce(engine.select, flavour)
    : createFinderInPieces(engine.select, engine.selectWithin, flavour);
}

interface FoundRow {
  readonly row: number;
  readonly key: string;
  readonly [key: `k${number}`]: unknown;
}

/** For databases in a process of their own: one statement finds everybody, another counts. */
function createFinderAtOnce(select: ReadEngine['select'], flavour: SqlFlavour): FindStaff {
  async function countStaff(scope: Scope, { options, modifiedSince }: StaffQuery): Promise<number> {
    const finding = new StaffStatement(flavour, scope);
    const where = finding.where(options.filter, modifiedSince);
    const text = `SELECT count(*) AS "count" FROM "staff" AS s WHERE ${where}`;
    const [found] = await select<{ count: number }>(finding.toSql(text));
    return Number(found?.count);
  }

  return async (scope, query, window) => {
    const { options, modifiedSince } = query;
    const count = options.count ? await countStaff(scope, query) : undefined;
    const { after, isPage = false, skip, top } = window;
    const isSorted = options.orderby.length > 0;
    const finding = new StaffStatement(flavour, scope);
    const keys = isPage && isSorted ? options.orderby : [];
    let text = `SELECT ${finding.columns(keys)} FROM "staff" AS s WHERE ${finding.where(options.filter, modifiedSince)}`;
    if (after !== undefined && !isSorted) text += ` AND s."StaffKey" > ${finding.writer.bind(after.staffKey)}`;
    text += finding.orderBy(options.orderby);
    // A page goes on behind a place that nobody may have any more: among all of them it is found.
    const isCut = !isPage || !isSorted;
    if (isCut) text += finding.writer.window({ top: top === undefined ? undefined : top + Number(isPage), skip });
    const found = await select<FoundRow>(finding.toSql(text));
    if (!isPage) return { rows: found.map(({ row }) => Number(row)), count, next: undefined };
    const placed = found.map((one) => toPlaced(one, keys));
    return cut(placed, options.orderby, isCut ? { ...window, skip: 0 } : window, count);
  };
}

const candidatesAtOnce = 1_000;
const everybody = { from: '', most: Number.POSITIVE_INFINITY };

/** People in the order of StaffKey. */
interface Batch {
  readonly rows: readonly number[];
  /** Only where they are asked for. */
  readonly keys: readonly string[];
}

/** A batch as SQL gives it: one row with arrays in JSON is found in a third of the time of a thousand rows. */
interface BatchRow {
  readonly rows: string;
  readonly keys: string | null;
  readonly last: string | null;
}

interface Span {
  /** Only people whose StaffKey is behind this one. */
  readonly from: string;
  /** No more of them than this are looked at. */
  readonly most: number;
  readonly hasKeys: boolean;
}

/** For databases that run in the event loop: everybody in the order of StaffKey, some at a time. */
function createFinderInPieces(
  select: ReadEngine['select'],
  selectWithin: NonNullable<ReadEngine['selectWithin']>,
  flavour: SqlFlavour,
): FindStaff {
  const batchOf = (hasKeys: boolean, people: string) => {
    const keys = hasKeys ? 'json_group_array("key")' : 'NULL';
    return `SELECT json_group_array("row") AS "rows", ${keys} AS "keys", max("key") AS "last" FROM (${people})`;
  };

  /** People of the company that an index leads to, all of them without one. */
  async function* candidates(
    scope: Scope,
    seek: BoundExpression | undefined,
    { from, most, hasKeys }: Span,
    pace: Pace,
  ): AsyncGenerator<Batch> {
    const atOnce = Math.max(1, Math.min(most, candidatesAtOnce));
    for (let last = from; ; ) {
      const finding = new StaffStatement(flavour, scope);
      const columns = finding.columns([]);
      const where = `${finding.where(seek)} AND s."StaffKey" > ${finding.writer.bind(last)}`;
      const people = `SELECT ${columns} FROM "staff" AS s WHERE ${where} ORDER BY s."StaffKey" LIMIT ${finding.writer.bind(atOnce)}`;
      const [found] = await pace.timed(() => select<BatchRow>(finding.toSql(batchOf(hasKeys, people))));
      const batch = toBatch(found);
      yield batch;
      if (batch.rows.length < atOnce) return;
      last = found?.last ?? '';
      await pace.breathe();
    }
  }

  /** Those of them for whom the rest holds too. */
  async function* matches(
    scope: Scope,
    { options, modifiedSince }: StaffQuery,
    span: Span,
    pace: Pace,
  ): AsyncGenerator<Batch> {
    const { seek, rest } = splitFilter(options.filter);
    if (rest === undefined && modifiedSince === undefined) {
      yield* candidates(scope, seek, span, pace);
      return;
    }
    const look = async (rows: readonly number[], ms: number) => {
      const finding = new StaffStatement(flavour, scope);
      const people = flavour.pickStaff(finding.writer.bind(JSON.stringify(rows)));
      const text = `SELECT ${finding.columns([])} FROM ${people} WHERE ${finding.where(rest, modifiedSince)}`;
      const [found] = await selectWithin<BatchRow>(finding.toSql(batchOf(span.hasKeys, text)), ms);
      return toBatch(found);
    };
    const all = { ...everybody, from: span.from, hasKeys: false };
    for await (const { rows } of candidates(scope, seek, all, pace)) yield* pace.each(rows, look);
  }

  /** The same with what they are ordered by, each piece in order. */
  async function findInOrder(scope: Scope, { options, modifiedSince }: StaffQuery, pace: Pace) {
    const { orderby } = options;
    const { seek, rest } = splitFilter(options.filter);
    const order = createOrder(orderby);
    const look = async (rows: readonly number[], ms: number) => {
      const finding = new StaffStatement(flavour, scope);
      const columns = finding.columns(orderby);
      const people = flavour.pickStaff(finding.writer.bind(JSON.stringify(rows)));
      const text = `SELECT ${columns} FROM ${people} WHERE ${finding.where(rest, modifiedSince)}`;
      const found = await selectWithin<FoundRow>(finding.toSql(text), ms);
      return found.map((one) => toPlaced(one, orderby)).sort(order);
    };
    const runs: Placed[][] = [];
    for await (const { rows } of candidates(scope, seek, { ...everybody, hasKeys: false }, pace)) {
      for await (const run of pace.each(rows, look)) runs.push(run);
    }
    return mergeInOrder(runs, order, pace);
  }

  return async (scope, query, window, pace) => {
    const { orderby, count: isCounted } = query.options;
    const { after, skip, top, isPage = false } = window;
    if (orderby.length > 0) {
      const placed = await findInOrder(scope, query, pace);
      return cut(placed, orderby, window, isCounted ? placed.length : undefined);
    }
    const rows: number[] = [];
    let count = 0;
    let behind = 0;
    let last = '';
    let next: Place | undefined;
    const end = top === undefined ? Number.POSITIVE_INFINITY : skip + top;
    const span = isCounted ? everybody : { from: after?.staffKey ?? '', most: end + Number(isPage) };
    for await (const found of matches(scope, query, { ...span, hasKeys: isPage }, pace)) {
      count += found.rows.length;
      for (let i = 0; i < found.rows.length; i++) {
        const key = found.keys[i] ?? '';
        if (isCounted && after !== undefined && orderValues(key, after.staffKey) <= 0) continue;
        const at = behind++;
        if (at < skip) continue;
        if (at < end) {
          rows.push(found.rows[i] as number);
          last = key;
        } else if (isPage && rows.length > 0) next ??= { keys: [], staffKey: last };
      }
      if (!isCounted && behind >= end + Number(isPage)) break;
    }
    return { rows, count: isCounted ? count : undefined, next };
  };
}

function toBatch(found: BatchRow | undefined): Batch {
  const { rows = '[]', keys = null } = found ?? {};
  return { rows: JSON.parse(rows), keys: keys === null ? [] : JSON.parse(keys) };
}

function toPlaced(found: FoundRow, orderby: readonly BoundOrder[]): Placed {
  const keys = orderby.map(({ expression }, i) => toPlaceValue(found[`k${i}`], expression.type));
  return { row: Number(found.row), staffKey: found.key, keys };
}

/** The window of a list that is in order. */
function cut(
  placed: readonly Placed[],
  orderby: readonly BoundOrder[],
  { after, skip, top, isPage = false }: Window,
  count: number | undefined,
): FoundStaff {
  let from = skip;
  if (after !== undefined) {
    const order = createOrder(orderby);
    const first = placed.findIndex((one) => order(one, after) > 0);
    from += first < 0 ? placed.length : first;
  }
  const chosen = placed.slice(from, top === undefined ? undefined : from + top);
  const last = chosen.at(-1);
  const isMore = isPage && last !== undefined && placed.length > from + chosen.length;
  const next = isMore ? { keys: last.keys, staffKey: last.staffKey } : undefined;
  return { rows: chosen.map(({ row }) => row), count, next };
}
