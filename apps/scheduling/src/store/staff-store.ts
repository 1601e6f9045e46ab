import { type Kysely, sql } from 'kysely';
import type { AccountStore } from '../accounts/account-store.ts';
import type { ExportCatalogueOptions, ExportedCatalogue } from '../company-files/export-catalogue.ts';
import type { ExportCompanyOptions, ExportedFile } from '../company-files/export-company.ts';
import type { CompanyImport, ImportCompanyOptions } from '../company-files/import-company.ts';
import { type SeedOptions, seedDemo } from '../demo/seed-demo.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { WebhookStore } from '../webhooks/webhook-store.ts';
import { type AuditChoice, listAudit } from './audit.ts';
import type { Fill } from './json-writer.ts';
import type { ReadEngine } from './read-engine.ts';
import { createRosterStore } from './roster-store.ts';
import type { Scope } from './scope.ts';
import { badges, type CollectionShape, payModifiers, profiles, requestLimits, staffLocations } from './shapes.ts';
import type { SqlFlavour } from './sql-flavour.ts';
import { createStaffReads } from './staff-reads.ts';
import type { Tables, TransactCompany } from './tables.ts';
import type { WriteDeps } from './unit-of-work.ts';
import { createPayModifier, deletePayModifier, updatePayModifier } from './write-pay-modifier.ts';
import { removeSkillset, setProfile, setSkillset } from './write-skills-and-profiles.ts';
import { createStaff, setManager, updateStaff } from './write-staff.ts';
import { addLocationTag, addTag } from './write-tags.ts';

export interface StaffStoreOptions {
  /** The connection for reads: separate from writes if the database can run them in parallel. */
  readonly reads: Kysely<Tables>;
  readonly writes: Kysely<Tables>;
  readonly engine: ReadEngine;
  /** Time limit of a query. Default 5,000. */
  readonly statementTimeoutMs?: number | undefined;
  readonly transact: TransactCompany;
  readonly flavour: SqlFlavour;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newKey: () => string;
  /** `pause` of the writes; default: none, for a connection that must not serve others during a transaction. */
  readonly pause?: (() => Promise<void>) | undefined;
}

const shiftCredits: Readonly<Record<string, string>> = { ShiftsCredit: 'ShiftCredits' };

/** Returns a function without its first parameter, the dependencies of every write. */
const withDeps =
  (deps: WriteDeps) =>
  <A extends unknown[], R>(write: (deps: WriteDeps, ...args: A) => R) =>
  (...args: A): R =>
    write(deps, ...args);

export type StaffStore = ReturnType<typeof createStaffStore>;

/**
 * Returns the store of the people of all companies, as JSON text in the contract's format. An identifier that is
 * unknown or of another company throws `not_found`, another version than expected `precondition_failed`, and a violated
 * rule `validation_failed` with every fault. A write is durable, with its audit row, when its promise resolves;
 * deletions return `{}`. The flavour and the connections contain all differences between databases.
 */
export function createStaffStore(options: StaffStoreOptions) {
  const { reads: readDb, writes, flavour, clock, newKey } = options;
  let onWrite: (companyKey: string) => void = () => {};
  const transact: TransactCompany = async (companyKey, work) => {
    const written = await options.transact(companyKey, work);
    onWrite(companyKey);
    return written;
  };
  const { engine, statementTimeoutMs = 5_000, pause = async () => {} } = options;
  const reads = createStaffReads({ engine, flavour, budgetMs: statementTimeoutMs });
  const deps: WriteDeps = { transact, reads, flavour, clock, newKey, pause };
  const write = withDeps(deps);
  const collection = (shape: CollectionShape) => (scope: Scope, staffKey: string) =>
    reads.readCollection(scope, staffKey, shape);
  return {
    listStaff: reads.listStaff,
    listChanges: reads.listChanges,
    readStaff: (scope: Scope, staffKey: string, query: StaffQuery) => reads.readStaff(scope, staffKey, query),
    listLocations: collection(staffLocations),
    listProfiles: collection(profiles),
    listPayModifiers: collection(payModifiers),
    listBadges: collection(badges),
    listRequestLimits(scope: Scope, staffKey: string, includes: readonly string[]) {
      const filled = new Set(includes.map((name) => shiftCredits[name] ?? name));
      const fill = (name: string): Fill => (filled.has(name) ? true : null);
      return reads.readCollection(scope, staffKey, requestLimits, fill);
    },
    createStaff: write(createStaff),
    updateStaff: write(updateStaff),
    setManager: write(setManager),
    addTag: write(addTag),
    addLocationTag: write(addLocationTag),
    setSkillset: write(setSkillset),
    removeSkillset: write(removeSkillset),
    setProfile: write(setProfile),
    createPayModifier: write(createPayModifier),
    updatePayModifier: write(updatePayModifier),
    deletePayModifier: write(deletePayModifier),
    roster: createRosterStore(readDb, deps),
    /** Calls the listener, the only one, after each write of this process. */
    followWrites(listener: (companyKey: string) => void) {
      onWrite = listener;
    },
    /** Returns the audit rows of a company, or of all companies, newest first. */
    listAudit: (companyKey: string | undefined, choice: AuditChoice) => listAudit(readDb, companyKey, choice),
    /** Adds the missing demo companies and returns how many people were added. */
    seedDemo: (seedOptions: SeedOptions) => seedDemo(writes, deps, seedOptions),
    /** Imports the files of a company, all or nothing. */
    async importCompany(importOptions: ImportCompanyOptions): Promise<CompanyImport> {
      const { importCompany } = await import('../company-files/import-company.ts');
      return importCompany(deps, importOptions);
    },
    /** Returns the text of one file of a company, with its version. */
    async exportCatalogue(exportOptions: ExportCatalogueOptions): Promise<ExportedCatalogue> {
      const { exportCatalogue } = await import('../company-files/export-catalogue.ts');
      return exportCatalogue(deps, exportOptions);
    },
    /** Writes the files of a company as they are at one moment. */
    async exportCompany(exportOptions: ExportCompanyOptions): Promise<ExportedFile[]> {
      const { exportCompany } = await import('../company-files/export-company.ts');
      return readDb.connection().execute(async (db) => {
        await sql.raw(flavour.beginSnapshot).execute(db);
        try {
          await flavour.withoutTimeLimit(db);
          return await exportCompany(db, exportOptions);
        } finally {
          await sql`rollback`.execute(db);
        }
      });
    },
    /** Rejects when the database does not respond. */
    async ping() {
      await sql`select 1`.execute(readDb);
    },
    async close() {
      if (readDb !== writes) await readDb.destroy();
      await writes.destroy();
    },
  };
}

export interface OpenStore {
  /** Names of the migrations that opening the database ran. */
  readonly migrated: readonly string[];
  /** Closing it also closes the others. */
  readonly store: StaffStore;
  readonly accounts: AccountStore;
  readonly webhooks: WebhookStore;
}
