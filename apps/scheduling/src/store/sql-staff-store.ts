import { type Kysely, sql } from 'kysely';
import { seedDemo } from '../demo/seed-demo.ts';
import { listAudit } from './audit.ts';
import type { Fill } from './json-writer.ts';
import type { ReadEngine } from './read-engine.ts';
import { badges, payModifiers, profiles, requestLimits, staffLocations } from './shapes.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { createRosterStore } from './sql-roster-store.ts';
import { createStaffReads } from './staff-reads.ts';
import type { StaffStore } from './staff-store.ts';
import type { Tables, TransactCompany } from './tables.ts';
import type { WriteDeps } from './unit-of-work.ts';
import { createPayModifier, deletePayModifier, updatePayModifier } from './write-pay-modifier.ts';
import { setProfile } from './write-profile.ts';
import { removeSkillset, setSkillset } from './write-skillset.ts';
import { createStaff, setManager, updateStaff } from './write-staff.ts';
import { addLocationTag, addTag } from './write-tags.ts';

export interface SqlStaffStoreOptions {
  /** The connection for reads: separate from writes if the database can run them in parallel. */
  readonly reads: Kysely<Tables>;
  readonly writes: Kysely<Tables>;
  readonly engine: ReadEngine;
  /** Time limit of a query. Default 5,000. */
  readonly statementTimeoutMs?: number | undefined;
  /** Default: a transaction of `writes`, for a database with one writer at a time. */
  readonly transact?: TransactCompany | undefined;
  readonly flavour: SqlFlavour;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newKey: () => string;
}

const shiftCredits: Readonly<Record<string, string>> = { ShiftsCredit: 'ShiftCredits' };

/** Returns the store over SQL. The flavour and the connections contain all differences between databases. */
export function createSqlStaffStore(options: SqlStaffStoreOptions): StaffStore {
  const { reads: readDb, writes, flavour, clock, newKey } = options;
  const { transact = (_, work) => writes.transaction().execute(work) } = options;
  const { engine, statementTimeoutMs = 5_000 } = options;
  const reads = createStaffReads({ engine, flavour, budgetMs: statementTimeoutMs });
  const deps: WriteDeps = { transact, reads, flavour, clock, newKey };
  return {
    listStaff: reads.listStaff,
    readStaff: (scope, staffKey, query) => reads.readStaff(scope, staffKey, query),
    listLocations: (scope, staffKey) => reads.readCollection(scope, staffKey, staffLocations),
    listProfiles: (scope, staffKey) => reads.readCollection(scope, staffKey, profiles),
    listPayModifiers: (scope, staffKey) => reads.readCollection(scope, staffKey, payModifiers),
    listBadges: (scope, staffKey) => reads.readCollection(scope, staffKey, badges),
    listRequestLimits(scope, staffKey, includes) {
      const filled = new Set(includes.map((name) => shiftCredits[name] ?? name));
      const fill = (name: string): Fill => (filled.has(name) ? true : null);
      return reads.readCollection(scope, staffKey, requestLimits, fill);
    },
    createStaff: (...args) => createStaff(deps, ...args),
    updateStaff: (...args) => updateStaff(deps, ...args),
    setManager: (...args) => setManager(deps, ...args),
    addTag: (...args) => addTag(deps, ...args),
    addLocationTag: (...args) => addLocationTag(deps, ...args),
    setSkillset: (...args) => setSkillset(deps, ...args),
    removeSkillset: (...args) => removeSkillset(deps, ...args),
    setProfile: (...args) => setProfile(deps, ...args),
    createPayModifier: (...args) => createPayModifier(deps, ...args),
    updatePayModifier: (...args) => updatePayModifier(deps, ...args),
    deletePayModifier: (...args) => deletePayModifier(deps, ...args),
    roster: createRosterStore(readDb, deps),
    listAudit: (...args) => listAudit(readDb, ...args),
    seedDemo: (seedOptions) => seedDemo(writes, flavour, seedOptions),
    async ping() {
      await sql`select 1`.execute(readDb);
    },
    async close() {
      if (readDb !== writes) await readDb.destroy();
      await writes.destroy();
    },
  };
}
