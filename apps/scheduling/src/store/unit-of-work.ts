import { Problem } from '@rostergate/server/problem';
import type { Kysely } from 'kysely';
import { createAuditRow } from './audit.ts';
import { createStamps, type PersonVersion, type Stamps, type VersionedJson, versionTag } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { refreshDocuments } from './staff-documents.ts';
import { notFound, type StaffReads } from './staff-reads.ts';
import type { Row, Tables, TransactCompany } from './tables.ts';

export interface WriteDeps {
  readonly transact: TransactCompany;
  readonly reads: StaffReads;
  readonly flavour: SqlFlavour;
  readonly clock: () => number;
  readonly newKey: () => string;
  /** Lets other requests run when a long transaction has occupied the event loop for a few milliseconds. */
  readonly pause: () => Promise<void>;
}

export interface Unit extends Stamps {
  readonly trx: Kysely<Tables>;
  readonly scope: WriteScope;
  readonly flag: SqlFlavour['flag'];
  /** Rows of the people that the write has changed: the person, and reports of a renamed manager. */
  readonly touched: Set<number>;
}

export interface Written<T> {
  readonly staffKey: string;
  /** Names of the changed properties, for the audit, which never contains values. */
  readonly changed: readonly string[];
  /** Called when everything that the write changes is stored. */
  readonly reply: () => T | Promise<T>;
}

/** Runs a write with its audit row in one transaction, durable when the promise resolves. */
export function writeUnit<T>(
  deps: WriteDeps,
  scope: WriteScope,
  work: (unit: Unit) => Promise<Written<T>>,
): Promise<T> {
  return deps.transact(scope.companyKey, async (trx) => {
    const stamps = await createStamps(trx, deps.flavour, scope.companyKey, deps.clock);
    const touched = new Set<number>();
    const { staffKey, changed, reply } = await work({ trx, scope, ...stamps, flag: deps.flavour.flag, touched });
    await refreshDocuments(trx, deps.flavour, touched, deps.pause);
    await trx
      .insertInto('audit')
      .values(createAuditRow(scope, { now: stamps.now, staffKey, changed }))
      .execute();
    return reply();
  });
}

/** Runs a write on an existing person in the expected version. */
export function writeOnStaff(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  work: (unit: Unit, person: Row<'staff'>) => Promise<Omit<Written<string>, 'staffKey'>>,
): Promise<VersionedJson> {
  return writeOnPart(deps, scope, staffKey, async () => undefined, work);
}

/**
 * Runs a write on a part of a person, which `find` looks up by a key of the path: a missing part is 404 before an
 * outdated version is 412, and both come before faults of the body (RFC 9110 §13.2.1).
 */
export function writeOnPart<P>(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  find: (unit: Unit, person: Row<'staff'>) => Promise<P>,
  work: (unit: Unit, person: Row<'staff'>, part: P) => Promise<Omit<Written<string>, 'staffKey'>>,
): Promise<VersionedJson> {
  return writeUnit(deps, scope, async (unit) => {
    const person = await findStaff(unit, staffKey);
    const part = await find(unit, person);
    requireVersion(scope, person);
    const { changed, reply } = await work(unit, person, part);
    return {
      staffKey,
      changed,
      reply: async () => ({ json: await reply(), ...versionAfter(unit, person) }),
    };
  });
}

/** Throws 412 unless the stored version is an expected one. Undefined: there is no such person. */
export function requireVersion({ ifMatch }: WriteScope, person: Row<'staff'> | undefined): void {
  if (ifMatch === undefined) return;
  if (person !== undefined && (ifMatch === '*' || ifMatch.includes(versionTag(versionOf(person))))) return;
  const detail =
    person === undefined
      ? 'If-Match requires an existing person, and there is none. Leave it out to add the person.'
      : ifMatch.length === 0
        ? 'A weak entity tag (W/) never matches. Read the person without compression, and send the ETag of that response.'
        : 'The person has changed since you read it. Read it again, and repeat the change with the new ETag.';
  throw new Problem('precondition_failed', detail);
}

/** Returns the person's version after the write: one write makes at most one new version. */
export function versionAfter({ touched, stamp }: Unit, person: Row<'staff'>): PersonVersion {
  const before = versionOf(person);
  return touched.has(person.StaffRow) ? { revision: before.revision + 1, modified: stamp } : before;
}

const versionOf = ({ Revision, LastModifiedDateUtc }: Row<'staff'>): PersonVersion => ({
  revision: Revision,
  modified: LastModifiedDateUtc,
});

/** Makes a new version of one or many people. Nothing else does. `pause` is called between statements. */
export async function touchStaff(
  { trx, stamp, touched }: Unit,
  staffRows: number | readonly number[],
  pause: WriteDeps['pause'] = async () => {},
): Promise<void> {
  const untouched = [staffRows].flat().filter((row) => !touched.has(row));
  for (let at = 0; at < untouched.length; at += rowsAtOnce) {
    if (at > 0) await pause();
    const rows = untouched.slice(at, at + rowsAtOnce);
    for (const row of rows) touched.add(row);
    await trx
      .updateTable('staff')
      .set((eb) => ({ LastModifiedDateUtc: stamp, Revision: eb('Revision', '+', 1) }))
      .where('StaffRow', 'in', rows)
      .execute();
  }
}

/** Rows per statement: far below any limit on parameters. */
const rowsAtOnce = 500;

async function findStaff({ trx, scope }: Unit, staffKey: string): Promise<Row<'staff'>> {
  const person = await trx
    .selectFrom('staff')
    .selectAll()
    .where('CompKey', '=', scope.companyKey)
    .where('StaffKey', '=', staffKey)
    .executeTakeFirst();
  return person ?? notFound('person', staffKey);
}
