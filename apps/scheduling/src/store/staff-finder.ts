import { type BoundExpression, type BoundOrder, type BoundQuery, orderValues } from '@rostergate/odata';
import type { StaffQuery } from '../staff-query.ts';
import type { Pace } from './pace.ts';
import type { ReadEngine } from './read-engine.ts';
import type { Scope } from './scope.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { afterPlace, createOrder, mergeInOrder, type Place, type Placed, toPlaceValue } from './staff-order.ts';
import { type Bounds, isIndexOrder, StaffStatement, splitFilter } from './staff-statement.ts';

/** Which part of the matching people is requested. */
export interface Window {
  readonly skip: number;
  /** Undefined: all. */
  readonly top: number | undefined;
  /** Only people after this place. */
  readonly after?: Place | undefined;
  /** Whether `next` is needed. */
  readonly isPage?: boolean | undefined;
}

export interface FoundStaff {
  /** Row numbers of the people in the window, in order. */
  readonly rows: readonly number[];
  /** Number of all matching people; undefined unless `$count` requests it. */
  readonly count: number | undefined;
  /** The place of the last person of a page; undefined when no others follow. */
  readonly next: Place | undefined;
}

export interface FinderOptions {
  readonly engine: ReadEngine;
  readonly flavour: SqlFlavour;
}

export type FindStaff = (scope: Scope, query: StaffQuery, window: Window, pace: Pace) => Promise<FoundStaff>;

/** Returns a function that finds the rows of matching people. Every WHERE begins with the account's company. */
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

/** For databases in a process of their own: one statement finds the people, another counts. */
function createFinderAtOnce(select: ReadEngine['select'], flavour: SqlFlavour): FindStaff {
  async function countStaff(scope: Scope, { options, modifiedSince }: StaffQuery, { signal }: Pace): Promise<number> {
    const statement = new StaffStatement(flavour, scope);
    const where = statement.where(options.filter, modifiedSince);
    const text = `SELECT count(*) AS "count" FROM "staff" AS s WHERE ${where}`;
    const [found] = await select<{ count: number }>(statement.toSql(text), signal);
    return Number(found?.count);
  }

  return async (scope, query, window, pace) => {
    const { options, modifiedSince } = query;
    const count = options.count ? await countStaff(scope, query, pace) : undefined;
    const { orderby } = options;
    const { after, isPage = false, skip, top } = window;
    const statement = new StaffStatement(flavour, scope);
    const keys = isPage ? orderby : [];
    const columns = statement.columns(keys);
    const where = statement.where(options.filter, modifiedSince, after && afterPlace(orderby, after));
    const order = statement.orderBy(orderby);
    const limit = statement.writer.window({ top: top === undefined ? undefined : top + Number(isPage), skip });
    const found = await select<FoundRow>(
      statement.toSql(`SELECT ${columns} FROM "staff" AS s WHERE ${where}${order}${limit}`),
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
/** Up to this many people, those after the window are dropped piece by piece. */
const fewMax = 1_000;
const wholeCompany = { from: '', most: Number.POSITIVE_INFINITY };

/** People in the order of StaffKey. */
interface Batch {
  readonly rows: readonly number[];
  /** Empty unless requested. */
  readonly keys: readonly string[];
}

/** The JSON arrays of a batch: reading one such row takes a third of the time of a thousand rows. */
interface BatchRow {
  readonly rows: string;
  readonly keys: string | null;
  readonly last: string | null;
}

interface Span {
  /** Only people with a later StaffKey. */
  readonly from: string;
  /** Maximum of people to read. */
  readonly most: number;
  readonly hasKeys: boolean;
}

/** For databases that run in the event loop: reads people in the order of StaffKey, a batch at a time. */
function createFinderInPieces(
  select: ReadEngine['select'],
  selectWithin: NonNullable<ReadEngine['selectWithin']>,
  flavour: SqlFlavour,
): FindStaff {
  const batchOf = (hasKeys: boolean, people: string) => {
    const keys = hasKeys ? 'json_group_array("key")' : 'NULL';
    return `SELECT json_group_array("row") AS "rows", ${keys} AS "keys", max("key") AS "last" FROM (${people})`;
  };

  /** Yields the people that the indexed part of the filter selects; without one, all people of the company. */
  async function* candidates(
    scope: Scope,
    seek: BoundExpression | undefined,
    { from, most, hasKeys }: Span,
    pace: Pace,
  ): AsyncGenerator<Batch> {
    const atOnce = Math.max(1, Math.min(most, candidatesAtOnce));
    for (let last = from; ; ) {
      const statement = new StaffStatement(flavour, scope);
      const columns = statement.columns([]);
      const where = `${statement.where(seek)} AND s."StaffKey" > ${statement.writer.bind(last)}`;
      const people = `SELECT ${columns} FROM "staff" AS s WHERE ${where} ORDER BY s."StaffKey" LIMIT ${statement.writer.bind(atOnce)}`;
      const [found] = await pace.timed(() => select<BatchRow>(statement.toSql(batchOf(hasKeys, people))));
      const batch = toBatch(found);
      yield batch;
      if (batch.rows.length < atOnce) return;
      last = found?.last ?? '';
      await pace.pauseWhenDue();
    }
  }

  /** Yields those who match the whole filter. */
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
    const findMatches = async (rows: readonly number[], ms: number) => {
      const statement = new StaffStatement(flavour, scope);
      const people = flavour.pickStaff(statement.writer.bind(JSON.stringify(rows)));
      const text = `SELECT ${statement.columns([])} FROM ${people} WHERE ${statement.where(rest, modifiedSince)}`;
      const [found] = await selectWithin<BatchRow>(statement.toSql(batchOf(span.hasKeys, text)), ms);
      return toBatch(found);
    };
    const all = { ...wholeCompany, from: span.from, hasKeys: false };
    for await (const { rows } of candidates(scope, seek, all, pace)) yield* pace.each(rows, findMatches);
  }

  /** Finds the people of an index in its order, so the cost depends only on the size of the window. */
  async function findByIndex(scope: Scope, { orderby }: BoundQuery, seek: BoundExpression | undefined, window: Bounds) {
    const statement = new StaffStatement(flavour, scope);
    const columns = statement.columns(orderby);
    const where = statement.where(seek, undefined, window.after && afterPlace(orderby, window.after));
    const end = `${statement.orderBy(orderby)} LIMIT ${statement.writer.bind(window.top)}`;
    const found = await select<FoundRow>(statement.toSql(`SELECT ${columns} FROM "staff" AS s WHERE ${where}${end}`));
    return found.map((one) => toPlaced(one, orderby));
  }

  /** Finds the people after a place in the caller's order, as many as the window needs, and counts all matches. */
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
    const findMatches = async (rows: readonly number[], ms: number) => {
      const statement = new StaffStatement(flavour, scope);
      const columns = statement.columns(orderby);
      const people = flavour.pickStaff(statement.writer.bind(JSON.stringify(rows)));
      const all = `SELECT ${columns} FROM ${people} WHERE ${statement.where(rest, modifiedSince)}`;
      // The database finds the first few faster than it returns all of them.
      const isCut = most < rows.length || after !== undefined;
      const before = isFew && first.length === most ? first.at(-1) : undefined;
      const text = isCut ? statement.first(all, orderby, { top: Math.min(most, rows.length), after, before }) : all;
      const found = await selectWithin<FoundRow>(statement.toSql(text), ms);
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
    for await (const batch of candidates(scope, seek, { ...wholeCompany, hasKeys: false }, pace))
      rows.push(...batch.rows);
    // In table order, so that neighbouring rows are read together.
    rows.sort((a, b) => a - b);
    const runs: (readonly Placed[])[] = [];
    let count = 0;
    for await (const found of pace.each(rows, findMatches)) {
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
    const span = isCounted ? wholeCompany : { from: after?.staffKey ?? '', most: end + Number(isPage) };
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

/** Returns the window of ordered people. With `isPage`, one more person shows that others follow. */
function cut(placed: readonly Placed[], { skip, top, isPage = false }: Window, count: number | undefined): FoundStaff {
  const chosen = placed.slice(skip, top === undefined ? undefined : skip + top);
  const last = chosen.at(-1);
  const isMore = isPage && last !== undefined && placed.length > skip + chosen.length;
  const next = isMore ? { keys: last.keys, staffKey: last.staffKey } : undefined;
  return { rows: chosen.map(({ row }) => row), count, next };
}
