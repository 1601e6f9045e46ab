import { type BoundExpression, type BoundOrder, type BoundQuery, orderValues } from '@rostergate/odata';
import type { StaffQuery } from '../staff-query.ts';
import type { Pace } from './pace.ts';
import type { ReadEngine } from './read-engine.ts';
import type { Scope } from './scope.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { afterPlace, createOrder, mergeInOrder, type Place, type Placed, toPlaceValue } from './staff-order.ts';
import { type Bounds, isIndexOrder, StaffStatement, splitFilter } from './staff-statement.ts';

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
  async function countStaff(scope: Scope, { options, modifiedSince }: StaffQuery, { signal }: Pace): Promise<number> {
    const finding = new StaffStatement(flavour, scope);
    const where = finding.where(options.filter, modifiedSince);
    const text = `SELECT count(*) AS "count" FROM "staff" AS s WHERE ${where}`;
    const [found] = await select<{ count: number }>(finding.toSql(text), signal);
    return Number(found?.count);
  }

  return async (scope, query, window, pace) => {
    const { options, modifiedSince } = query;
    const count = options.count ? await countStaff(scope, query, pace) : undefined;
    const { orderby } = options;
    const { after, isPage = false, skip, top } = window;
    const finding = new StaffStatement(flavour, scope);
    const keys = isPage ? orderby : [];
    const columns = finding.columns(keys);
    const where = finding.where(options.filter, modifiedSince, after && afterPlace(orderby, after));
    const order = finding.orderBy(orderby);
    const limit = finding.writer.window({ top: top === undefined ? undefined : top + Number(isPage), skip });
    const found = await select<FoundRow>(
      finding.toSql(`SELECT ${columns} FROM "staff" AS s WHERE ${where}${order}${limit}`),
      pace.signal,
    );
    return cut(
      found.map((one) => toPlaced(one, keys)),
      { ...window, skip: 0 },
      count,
    );
  };
}

const candidatesAtOnce = 1_000;
/** Where no more people than this are wanted, those who come behind them are left out piece by piece. */
const fewMax = 1_000;
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

  /** A part of everybody, or of those an index leads to, in the order of an index: it costs no more than its size. */
  async function findByIndex(scope: Scope, { orderby }: BoundQuery, seek: BoundExpression | undefined, window: Bounds) {
    const finding = new StaffStatement(flavour, scope);
    const columns = finding.columns(orderby);
    const where = finding.where(seek, undefined, window.after && afterPlace(orderby, window.after));
    const end = `${finding.orderBy(orderby)} LIMIT ${finding.writer.bind(window.top)}`;
    const found = await select<FoundRow>(finding.toSql(`SELECT ${columns} FROM "staff" AS s WHERE ${where}${end}`));
    return found.map((one) => toPlaced(one, orderby));
  }

  /** The first of them in the caller's order behind a place, as many as the window needs, and how many match in all. */
  async function findInOrder(scope: Scope, { options, modifiedSince }: StaffQuery, window: Window, pace: Pace) {
    const { orderby } = options;
    const { seek, rest } = splitFilter(options.filter);
    const { after, skip, top = Number.POSITIVE_INFINITY, isPage = false } = window;
    const most = skip + top + Number(isPage);
    const order = createOrder(orderby);
    const isFew = most <= fewMax;
    let first: readonly Placed[] = [];
    const isFiltered = rest !== undefined || modifiedSince !== undefined;
    if (isFew && !isFiltered && !options.count && isIndexOrder(orderby)) {
      const placed = await pace.timed(() => findByIndex(scope, options, seek, { top: most, after }));
      return { placed, count: 0 };
    }
    const look = async (rows: readonly number[], ms: number) => {
      const finding = new StaffStatement(flavour, scope);
      const columns = finding.columns(orderby);
      const people = flavour.pickStaff(finding.writer.bind(JSON.stringify(rows)));
      const all = `SELECT ${columns} FROM ${people} WHERE ${finding.where(rest, modifiedSince)}`;
      // The database finds the first few faster than it hands over all of them.
      const isCut = most < rows.length || after !== undefined;
      const before = isFew && first.length === most ? first.at(-1) : undefined;
      const text = isCut ? finding.first(all, orderby, { top: Math.min(most, rows.length), after, before }) : all;
      const found = await selectWithin<FoundRow>(finding.toSql(text), ms);
      const placed = found.map((one) => toPlaced(one, orderby));
      return { placed: isCut ? placed : placed.sort(order), count: await countOf(rows, ms) };
    };
    const countOf = async (rows: readonly number[], ms: number): Promise<number> => {
      if (!options.count) return 0;
      if (!isFiltered) return rows.length;
      const counting = new StaffStatement(flavour, scope);
      const people = flavour.pickStaff(counting.writer.bind(JSON.stringify(rows)));
      const text = `SELECT count(*) AS "count" FROM ${people} WHERE ${counting.where(rest, modifiedSince)}`;
      const [found] = await selectWithin<{ count: number }>(counting.toSql(text), ms);
      return Number(found?.count);
    };
    const rows: number[] = [];
    for await (const batch of candidates(scope, seek, { ...everybody, hasKeys: false }, pace)) rows.push(...batch.rows);
    // In the order of the table, in which neighbours are read together.
    rows.sort((a, b) => a - b);
    const runs: (readonly Placed[])[] = [];
    let count = 0;
    for await (const found of pace.each(rows, look)) {
      count += found.count;
      if (isFew) first = (await mergeInOrder([first, found.placed], order, pace)).slice(0, most);
      else runs.push(found.placed);
    }
    const placed = isFew ? first : await mergeInOrder(runs, order, pace);
    return { placed: placed.slice(0, most), count };
  }

  return async (scope, query, window, pace) => {
    const { orderby, count: isCounted } = query.options;
    const { after, skip, top, isPage = false } = window;
    if (orderby.length > 0) {
      const { placed, count } = await findInOrder(scope, query, window, pace);
      return cut(placed, window, isCounted ? count : undefined);
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
  const keys = orderby.map((order, i) => toPlaceValue(found[`k${i}`], order));
  return { row: Number(found.row), staffKey: found.key, keys };
}

/** The window of people who are in order behind its place, and perhaps one more. */
function cut(placed: readonly Placed[], { skip, top, isPage = false }: Window, count: number | undefined): FoundStaff {
  const chosen = placed.slice(skip, top === undefined ? undefined : skip + top);
  const last = chosen.at(-1);
  const isMore = isPage && last !== undefined && placed.length > skip + chosen.length;
  const next = isMore ? { keys: last.keys, staffKey: last.staffKey } : undefined;
  return { rows: chosen.map(({ row }) => row), count, next };
}
