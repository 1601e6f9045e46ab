import { orderValues } from '@rostergate/odata';
import type { StaffQuery } from '../staff-query.ts';
import type { Pace } from './pace.ts';
import type { ReadEngine } from './read-engine.ts';
import type { Scope } from './scope.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { StaffStatement } from './staff-statement.ts';

/** A position in the changes of a company: after all of a time, or after one person of that time. */
export interface ChangePlace {
  readonly stamp: string;
  readonly staffKey?: string | undefined;
}

/** The changes after a place and up to a time, at most `top` of them. */
export interface ChangesWindow {
  readonly after: ChangePlace;
  readonly until: string;
  readonly top: number;
}

/** A person who no longer belongs to a list. */
export interface RemovedPerson {
  readonly staffKey: string;
  /** `changed`: the person does not match the filter. `deleted`: the person no longer exists. */
  readonly reason: 'changed' | 'deleted';
}

export interface FoundChanges {
  /** Row numbers of the changed people who match the filter. */
  readonly rows: readonly number[];
  readonly removed: readonly RemovedPerson[];
  /** The place of the last change; undefined when no others follow. */
  readonly next: ChangePlace | undefined;
}

export interface FoundChange {
  /** Null for a removed person. */
  readonly row: number | null;
  readonly key: string;
  readonly at: string;
}

/** Changes in their order, and the place of the last one when others follow. */
export interface OrderedChanges extends Pick<FoundChanges, 'next'> {
  readonly changes: readonly FoundChange[];
}

export type FindChanges = (companyKey: string, window: ChangesWindow, pace: Pace) => Promise<OrderedChanges>;

export type FindChangedStaff = (
  scope: Scope,
  query: StaffQuery,
  window: ChangesWindow,
  pace: Pace,
) => Promise<FoundChanges>;

/**
 * Returns a function that finds changes in their order: by time, then by StaffKey. A person has one time, so none
 * comes twice between two times. An index has this order, so the cost depends only on the size of the window.
 */
export function createChangesFinder(
  { select }: Pick<ReadEngine, 'select'>,
  flavour: Pick<SqlFlavour, 'parameter'>,
): FindChanges {
  const people = { row: 's."StaffRow"', from: '"staff" AS s', time: '"LastModifiedDateUtc"' };
  const removals = { row: 'NULL', from: '"removed_staff" AS s', time: '"RemovedAtUtc"' };

  async function findIn(
    { row, from, time }: typeof people,
    companyKey: string,
    { after: { stamp, staffKey }, until, top }: ChangesWindow,
    { signal }: Pace,
  ): Promise<FoundChange[]> {
    const parameters: unknown[] = [];
    const bind = (value: unknown) => flavour.parameter(parameters.push(value));
    const isIn = `s."CompKey" = ${bind(companyKey)}`;
    const isAfter =
      staffKey === undefined
        ? `s.${time} > ${bind(stamp)}`
        : `(s.${time}, s."StaffKey") > (${bind(stamp)}, ${bind(staffKey)})`;
    const text =
      `SELECT ${row} AS "row", s."StaffKey" AS "key", s.${time} AS "at" FROM ${from} ` +
      `WHERE ${isIn} AND ${isAfter} AND s.${time} <= ${bind(until)} ` +
      `ORDER BY s.${time}, s."StaffKey" LIMIT ${bind(top + 1)}`;
    return select<FoundChange>({ text, parameters }, signal);
  }

  return async (companyKey, window, pace) => {
    const changed = await pace.timed(() => findIn(people, companyKey, window, pace));
    const gone = await pace.timed(() => findIn(removals, companyKey, window, pace));
    const inOrder = [...changed, ...gone].sort((a, b) => orderValues(a.at, b.at) || orderValues(a.key, b.key));
    const changes = inOrder.slice(0, window.top);
    const last = inOrder.length > changes.length ? changes.at(-1) : undefined;
    return { changes, next: last && { stamp: last.at, staffKey: last.key } };
  };
}

/** Returns a function that finds changes in their order, and which of the people match a filter. */
export function createChangedStaffFinder(
  { select, selectWithin }: Pick<ReadEngine, 'select' | 'selectWithin'>,
  flavour: SqlFlavour,
): FindChangedStaff {
  const findChanges = createChangesFinder({ select }, flavour);

  /** Returns for each row whether the person matches the filter. A person who has changed again is not in the result. */
  async function findFits(
    scope: Scope,
    { options: { filter } }: StaffQuery,
    rows: readonly number[],
    until: string,
    pace: Pace,
  ): Promise<ReadonlyMap<number, boolean>> {
    if (filter === undefined) return new Map(rows.map((row) => [row, true]));
    const statementOf = (piece: readonly number[]) => {
      const statement = new StaffStatement(flavour, scope);
      const fits = statement.fits(filter);
      const from = flavour.pickStaff(statement.writer.bind(JSON.stringify(piece)));
      const where = statement.where(undefined, { until });
      return statement.toSql(`SELECT s."StaffRow" AS "row", ${fits} AS "fits" FROM ${from} WHERE ${where}`);
    };
    const found: { row: number; fits: number }[] = [];
    if (selectWithin === undefined) found.push(...(await select<(typeof found)[0]>(statementOf(rows), pace.signal)));
    else {
      const pieces = pace.each(rows, (piece, ms) => selectWithin<(typeof found)[0]>(statementOf(piece), ms));
      for await (const piece of pieces) found.push(...piece);
    }
    return new Map(found.map(({ row, fits }) => [Number(row), Number(fits) === 1]));
  }

  return async (scope, query, window, pace) => {
    const { changes, next } = await findChanges(scope.companyKey, window, pace);
    const candidates = changes.flatMap(({ row }) => (row === null ? [] : [Number(row)]));
    const fits = await findFits(scope, query, candidates, window.until, pace);
    const removed = changes.flatMap(({ row, key: staffKey }): RemovedPerson[] => {
      if (row === null) return [{ staffKey, reason: 'deleted' }];
      return fits.get(Number(row)) === false ? [{ staffKey, reason: 'changed' }] : [];
    });
    return { rows: candidates.filter((row) => fits.get(row)), removed, next };
  };
}
