import type { AccountStore } from '../accounts/account-store.ts';
import type { SeedOptions } from '../demo/seed-demo.ts';
import type { Schemas } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { AuditChoice, AuditEntry } from './audit.ts';
import type { VersionedJson } from './person-version.ts';
import type { RosterStore } from './roster-store.ts';
import type { Scope, WriteScope } from './scope.ts';
import type { Place } from './staff-order.ts';

/** Which part of a list is wanted; `skip` and `top` take the place of the query's. */
export interface ListChoice {
  readonly skip?: number | undefined;
  readonly top?: number | undefined;
  /** Only those behind this place. */
  readonly after?: Place | undefined;
  /** The bound of the first page, for the later pages of a list of changes. */
  readonly until?: string | undefined;
  /** Whether the place of the last one is wanted when others follow. */
  readonly isPage?: boolean | undefined;
  /** Aborts when nobody waits for the list any more; it then ends with an error. */
  readonly signal?: AbortSignal | undefined;
}

/** People that match, read in slices so that a large company does not hold up other requests. */
export interface StaffList {
  /** How many match whatever `$top` and `$skip` say; undefined when not asked for. */
  readonly count: number | undefined;
  /** How many are in the list. */
  readonly size: number;
  /** Where the last one of a page stands, when others follow. */
  readonly next: Place | undefined;
  /** The newest `LastModifiedDateUtc` that a list of changes holds, for its later pages. */
  readonly until?: string | undefined;
  /** JSON texts of people, a comma before each; bytes of UTF-8, or text. */
  slices(): AsyncIterable<string | Uint8Array>;
}

export interface WrittenStaff extends VersionedJson {
  readonly staffKey: string;
  readonly isNew: boolean;
}

/**
 * The people of all companies. Answers are JSON text in the contract's shape. An identifier that is unknown, or of
 * another company, throws `not_found`; another version than the caller expects `precondition_failed`; a breach of a
 * rule `validation_failed` with every fault. A write is durable when its promise resolves, and has left its audit row.
 */
export interface StaffStore {
  listStaff(scope: Scope, query: StaffQuery, choice?: ListChoice): Promise<StaffList>;
  readStaff(scope: Scope, staffKey: string, query: StaffQuery): Promise<VersionedJson>;
  listLocations(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listProfiles(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listPayModifiers(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listBadges(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listRequestLimits(scope: Scope, staffKey: string, includes: readonly string[]): Promise<VersionedJson>;

  // What deletes answers with `{}`.
  createStaff(scope: WriteScope, body: Schemas['StaffMemberCreate']): Promise<WrittenStaff>;
  updateStaff(scope: WriteScope, staffKey: string, body: Schemas['StaffMemberUpdate']): Promise<VersionedJson>;
  setManager(scope: WriteScope, staffKey: string, body: Schemas['StaffManagerUpdate']): Promise<VersionedJson>;
  addTag(scope: WriteScope, staffKey: string, body: Schemas['StaffTagCreate']): Promise<VersionedJson>;
  addLocationTag(
    scope: WriteScope,
    staffKey: string,
    locationKey: string,
    body: Schemas['LocationTagUpdate'],
  ): Promise<VersionedJson>;
  setSkillset(
    scope: WriteScope,
    staffKey: string,
    taskKey: string,
    body: Schemas['SkillsetUpdate'],
  ): Promise<VersionedJson>;
  removeSkillset(scope: WriteScope, staffKey: string, taskKey: string): Promise<VersionedJson>;
  setProfile(
    scope: WriteScope,
    staffKey: string,
    profileKey: string,
    body: Schemas['ProfileUpdate'],
  ): Promise<VersionedJson>;
  createPayModifier(scope: WriteScope, staffKey: string, body: Schemas['PayModifierRequest']): Promise<VersionedJson>;
  updatePayModifier(
    scope: WriteScope,
    staffKey: string,
    payModifierKey: string,
    body: Schemas['PayModifierRequest'],
  ): Promise<VersionedJson>;
  deletePayModifier(scope: WriteScope, staffKey: string, payModifierKey: string): Promise<VersionedJson>;

  /** The audit rows of a company, or of all, newest first. */
  listAudit(companyKey: string | undefined, choice: AuditChoice): Promise<readonly AuditEntry[]>;

  readonly roster: RosterStore;

  /** Adds the demo companies that are not there; returns how many people came. */
  seedDemo(options: SeedOptions): Promise<number>;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenStore {
  /** Names of the migrations that opening the database ran. */
  readonly migrated: readonly string[];
  /** Closing it closes everything. */
  readonly store: StaffStore;
  readonly accounts: AccountStore;
}
