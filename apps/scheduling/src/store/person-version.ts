import { canonicalDateTime } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import { createReadEngine, type ReadEngine } from './read-engine.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/** The columns that identify a version of a person. */
export interface PersonVersion {
  /** From 1; every change of the person, and of what hangs on the person, adds one. */
  readonly revision: number;
  /** `LastModifiedDateUtc` as stored; every change makes it later. */
  readonly modified: string;
}

/**
 * Returns the opaque part of the version's entity tag. The revision alone is not unique: after a backup is restored,
 * new changes get the revisions of the lost ones.
 */
export function versionTag({ revision, modified }: PersonVersion): string {
  return `${revision}-${Date.parse(`${modified}Z`).toString(36)}`;
}

/** The times that a write stores, as stored dates are written. */
export interface Stamps {
  /** The time of day. */
  readonly now: string;
  /** `LastModifiedDateUtc` of every person whom the write changes: later than that of every write before it. */
  readonly stamp: string;
}

/**
 * Reads the clock for one write. Called under the company's lock, so that stamps have the order in which writes become
 * visible: a reader who sees a stamp can also see every write with an earlier one. A clock that stands still, or is
 * behind the clock of an earlier write, yields the next millisecond after the newest stamp.
 */
export async function createStamps(
  trx: Kysely<Tables>,
  flavour: SqlFlavour,
  companyKey: string,
  clock: () => number,
): Promise<Stamps> {
  const nowMs = Math.floor(clock());
  const newest = await readNewestStamp(createReadEngine(trx), flavour, companyKey);
  const stampMs = newest === undefined ? nowMs : Math.max(nowMs, Date.parse(`${newest}Z`) + 1);
  return { now: textOf(nowMs), stamp: textOf(stampMs) };
}

/** Returns the newest `LastModifiedDateUtc` of a company; undefined for a company without people. */
export async function readNewestStamp(
  engine: Pick<ReadEngine, 'select'>,
  { parameter }: Pick<SqlFlavour, 'parameter'>,
  companyKey: string,
): Promise<string | undefined> {
  const text = `SELECT max("LastModifiedDateUtc") AS "newest" FROM "staff" WHERE "CompKey" = ${parameter(1)}`;
  const [found] = await engine.select<{ newest: string | null }>({ text, parameters: [companyKey] });
  return found?.newest ?? undefined;
}

const textOf = (ms: number) => canonicalDateTime(new Date(ms).toISOString()) as string;

/** JSON text of a person, or of what hangs on one, with the version of the person. */
export interface VersionedJson extends PersonVersion {
  readonly json: string;
}
