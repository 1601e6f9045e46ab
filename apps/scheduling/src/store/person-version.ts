import { canonicalDateTime } from '@rostergate/odata';
import type { Kysely } from 'kysely';
import { createReadEngine, type ReadEngine } from './read-engine.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import type { Tables } from './tables.ts';

/** The columns that identify a version of a person. */
export interface PersonVersion {
  /** From 1; raised by every change of the person or of the person's collections. */
  readonly revision: number;
  /** `LastModifiedDateUtc` as stored; later after every change. */
  readonly modified: string;
}

/**
 * Returns the opaque part of the version's entity tag. The revision alone is not unique: after a backup is restored,
 * new changes get the revisions of the lost ones.
 */
export function versionTag({ revision, modified }: PersonVersion): string {
  return `${revision}-${Date.parse(`${modified}Z`).toString(36)}`;
}

/** The times that a write stores, in the format of stored dates. */
export interface Stamps {
  /** The current time. */
  readonly now: string;
  /** `LastModifiedDateUtc` of every person that the write changes: later than the stamp of every earlier write. */
  readonly stamp: string;
  /** Whether the company had no people before, as far as this database knows. */
  readonly isFirst: boolean;
}

/**
 * Returns the times of one write. Runs under the company's lock, so that stamps are in the order in which writes become
 * visible: a reader who sees a stamp also sees every write with an earlier one. A clock behind an earlier write yields
 * the next millisecond after the newest stamp.
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
  return { now: textOf(nowMs), stamp: textOf(stampMs), isFirst: newest === undefined };
}

/** Returns the time of the newest change or removal in a company; undefined for a company that never had people. */
export async function readNewestStamp(
  engine: Pick<ReadEngine, 'select'>,
  { parameter }: Pick<SqlFlavour, 'parameter'>,
  companyKey: string,
): Promise<string | undefined> {
  const newestOf = (table: string, column: string, n: number) =>
    `SELECT max("${column}") AS "at" FROM "${table}" WHERE "CompKey" = ${parameter(n)}`;
  const times = `${newestOf('staff', 'LastModifiedDateUtc', 1)} UNION ALL ${newestOf('removed_staff', 'RemovedAtUtc', 2)}`;
  const text = `SELECT max("at") AS "newest" FROM (${times}) AS times`;
  const [found] = await engine.select<{ newest: string | null }>({ text, parameters: [companyKey, companyKey] });
  return found?.newest ?? undefined;
}

const textOf = (ms: number) => canonicalDateTime(new Date(ms).toISOString()) as string;

/** JSON text of a person, or of a collection of one, with the version of the person. */
export interface VersionedJson extends PersonVersion {
  readonly json: string;
}
