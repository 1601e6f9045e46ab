import type { AccountStore } from '../accounts/account-store.ts';
import type { SeedOptions } from '../demo/seed-demo.ts';
import type { Schemas } from '../entity-model.ts';
import type { StaffQuery } from '../staff-query.ts';
import type { AuditChoice, AuditEntry } from './audit.ts';
import type { VersionedJson } from './person-version.ts';
import type { RosterStore } from './roster-store.ts';
import type { Scope, WriteScope } from './scope.ts';
import type { Place } from './staff-order.ts';

/** Which part of a list is requested; `skip` and `top` replace those of the query. */
export interface ListChoice {
  readonly skip?: number | undefined;
  readonly top?: number | undefined;
  /** Only people after this place. */
  readonly after?: Place | undefined;
  /** The upper bound that the first page of a list of changes returned. */
  readonly until?: string | undefined;
  /** Whether `next` is needed. */
  readonly isPage?: boolean | undefined;
  /** Aborts when the client disconnects; the list then ends with an error. */
  readonly signal?: AbortSignal | undefined;
}

/** Matching people, read in slices so that a large company does not delay other requests. */
export interface StaffList {
  /** Number of matching people regardless of `$top` and `$skip`; undefined unless requested. */
  readonly count: number | undefined;
  readonly size: number;
  /** The place of the last person of a page; undefined when no others follow. */
  readonly next: Place | undefined;
  /** The newest `LastModifiedDateUtc` of a list of changes, for its later pages. */
  readonly until?: string | undefined;
  /** Yields JSON texts of people, a comma before each, as UTF-8 bytes or text. */
  slices(): AsyncIterable<string | Uint8Array>;
}

export interface WrittenStaff extends VersionedJson {
  readonly staffKey: string;
  readonly isNew: boolean;
}

/**
 * The people of all companies, as JSON text in the contract's format. An identifier that is unknown or of another
 * company throws `not_found`, another version than expected `precondition_failed`, and a violated rule
 * `validation_failed` with every fault. A write is durable, with its audit row, when its promise resolves.
 */
export interface StaffStore {
  listStaff(scope: Scope, query: StaffQuery, choice?: ListChoice): Promise<StaffList>;
  readStaff(scope: Scope, staffKey: string, query: StaffQuery): Promise<VersionedJson>;
  listLocations(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listProfiles(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listPayModifiers(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listBadges(scope: Scope, staffKey: string): Promise<VersionedJson>;
  listRequestLimits(scope: Scope, staffKey: string, includes: readonly string[]): Promise<VersionedJson>;

  // Deletions return `{}`.
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

  /** Returns the audit rows of a company, or of all companies, newest first. */
  listAudit(companyKey: string | undefined, choice: AuditChoice): Promise<readonly AuditEntry[]>;

  readonly roster: RosterStore;

  /** Adds the missing demo companies and returns how many people were added. */
  seedDemo(options: SeedOptions): Promise<number>;
  /** Rejects when the database does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenStore {
  /** Names of the migrations that opening the database ran. */
  readonly migrated: readonly string[];
  /** Closing it also closes `accounts`. */
  readonly store: StaffStore;
  readonly accounts: AccountStore;
}
