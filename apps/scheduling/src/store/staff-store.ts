import type { Schemas } from '../contract-schemas.ts';
import type { SeedOptions } from '../demo/seed-demo.ts';
import type { StaffQuery } from '../staff-query.ts';

/** Who asks: every query holds these before anything that the caller says. */
export interface Scope {
  readonly companyKey: string;
  /** Others see no tags, skills or profiles. */
  readonly isAdmin: boolean;
}

/** Who writes, for the audit: which request of whom. */
export interface WriteScope extends Scope {
  readonly account: string;
  readonly requestId: string;
  readonly operation: string;
}

/** People that match, read in slices so that a large company does not hold up other requests. */
export interface StaffList {
  /** How many match whatever `$top` and `$skip` say; undefined when not asked for. */
  readonly count: number | undefined;
  /** How many are in the list. */
  readonly size: number;
  /** JSON texts of people, comma-separated within a slice. */
  slices(): AsyncIterable<string>;
}

export interface WrittenStaff {
  readonly staffKey: string;
  readonly isNew: boolean;
  readonly json: string;
}

/**
 * The people of all companies. Answers are JSON text in the contract's shape. An identifier that is unknown, or of
 * another company, throws `not_found`; a breach of a rule throws `validation_failed` with every fault.
 * A write is durable when its promise resolves, and has left its audit row.
 */
export interface StaffStore {
  listStaff(scope: Scope, query: StaffQuery): Promise<StaffList>;
  readStaff(scope: Scope, staffKey: string, query: StaffQuery): Promise<string>;
  listLocations(scope: Scope, staffKey: string): Promise<string>;
  listProfiles(scope: Scope, staffKey: string): Promise<string>;
  listPayModifiers(scope: Scope, staffKey: string): Promise<string>;
  listBadges(scope: Scope, staffKey: string): Promise<string>;
  listRequestLimits(scope: Scope, staffKey: string, includes: readonly string[]): Promise<string>;

  createStaff(scope: WriteScope, body: Schemas['StaffMemberCreate']): Promise<WrittenStaff>;
  updateStaff(scope: WriteScope, staffKey: string, body: Schemas['StaffMemberUpdate']): Promise<string>;
  setManager(scope: WriteScope, staffKey: string, body: Schemas['StaffManagerUpdate']): Promise<string>;
  addTag(scope: WriteScope, staffKey: string, body: Schemas['StaffTagCreate']): Promise<string>;
  addLocationTag(
    scope: WriteScope,
    staffKey: string,
    locationKey: string,
    body: Schemas['LocationTagUpdate'],
  ): Promise<string>;
  setSkillset(scope: WriteScope, staffKey: string, taskKey: string, body: Schemas['SkillsetUpdate']): Promise<string>;
  removeSkillset(scope: WriteScope, staffKey: string, taskKey: string): Promise<void>;
  setProfile(scope: WriteScope, staffKey: string, profileKey: string, body: Schemas['ProfileUpdate']): Promise<string>;
  createPayModifier(scope: WriteScope, staffKey: string, body: Schemas['PayModifierRequest']): Promise<string>;
  updatePayModifier(
    scope: WriteScope,
    staffKey: string,
    payModifierKey: string,
    body: Schemas['PayModifierRequest'],
  ): Promise<string>;
  deletePayModifier(scope: WriteScope, staffKey: string, payModifierKey: string): Promise<void>;

  /** The audit rows of a company, newest first. */
  listAudit(companyKey: string, limit: number): Promise<readonly AuditEntry[]>;

  /** Adds the demo companies that are not there; returns how many people came. */
  seedDemo(options: SeedOptions): Promise<number>;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditEntry {
  readonly atUtc: string;
  readonly account: string;
  readonly requestId: string;
  readonly operation: string;
  readonly staffKey: string;
  readonly changedFields: readonly string[];
}
