import type { Generated, Kysely, Selectable } from 'kysely';
import type { Schemas, StaffMember } from '../entity-model.ts';

/** 0 or 1 in SQLite, a boolean elsewhere; written by `SqlFlavour.flag`, read by `Boolean`. */
export type Flag = number | boolean;

type Stored<T> = T extends boolean ? Flag : T;
type Days<T> = { [K in keyof T]-?: Stored<Exclude<T[K], undefined>> };
type CollectionName = 'Tags' | 'TTCMTags' | 'Skillset' | 'Profiles' | 'AvailableProfiles' | 'BadgeIds';
/** The PIN is accepted and never returned, so only request schemas contain it. */
type Scalars = Required<Omit<StaffMember, CollectionName>> &
  Required<Pick<Schemas['StaffMemberUpdate'], 'TimeClockKioskPIN'>>;

/** Columns of a person have the contract's names, so that no mapping can be wrong. */
export type StaffTable = { [K in keyof Scalars]: Stored<Scalars[K]> } & {
  StaffRow: Generated<number>;
  ManagerRow: number | null;
  /** The version of the person and the person's collections, from 1. */
  Revision: Generated<number>;
};

interface Effective {
  EffectiveFromDate: string | null;
  EffectiveToDate: string | null;
}

interface TagLink extends Effective {
  CategoryKey: number;
  TagKey: number;
}

export interface Tables {
  companies: { CompanyKey: string; Name: string };
  accounts: {
    AccountRow: Generated<number>;
    CompanyKey: string;
    Email: string;
    PasswordHash: string;
    IsAdmin: Flag;
    IsDisabled: Flag;
    LastLoginDateUtc: string | null;
    /** Raised by every change that ends the account's tokens. */
    Revision: Generated<number>;
    /** Digest of the last applied entry of the accounts file; null for none. */
    FileEntryDigest: string | null;
  };
  /** Addresses of earlier logins, by `markOf`. */
  known_addresses: { AccountRow: number; Mark: string; LastLoginMs: number };
  access_tokens: { Digest: string; AccountRow: number; ExpiresAtMs: number };
  tag_categories: { CategoryKey: Generated<number>; CompanyKey: string; Name: string; IsTimeClock: Flag };
  tags: { TagKey: Generated<number>; CategoryKey: number; Name: string };
  tasks: {
    TaskRow: Generated<number>;
    CompanyKey: string;
    TaskKey: string;
    TaskId: string | null;
    Name: string;
    Abbrev: string | null;
  };
  profiles: { ProfileRow: Generated<number>; CompanyKey: string; ProfileKey: string; Name: string };
  locations: {
    LocationRow: Generated<number>;
    CompanyKey: string;
    LocationKey: string;
    Id: string | null;
    Name: string;
    Address: string | null;
    Abbrev: string | null;
    Notes: string | null;
    TimeZone: string | null;
  };
  location_tags: TagLink & { LocationRow: number };
  staff: StaffTable;
  removed_staff: { CompKey: string; StaffKey: string; RemovedAtUtc: string };
  webhooks: {
    WebhookKey: string;
    CompanyKey: string;
    Url: string;
    /** Raised by each rotation. The secret itself is not stored: it is derived from a setting. */
    SecretVersion: number;
    /** SHA-256 of the secret, to notice another setting. */
    SecretDigest: string;
    RotatedAtMs: number | null;
    /** The position: everything up to this place of the changes is delivered. */
    AfterTimeUtc: string;
    AfterStaffKey: string | null;
    /** Failed attempts in succession. */
    Failures: number;
    NextAttemptMs: number;
    /** Null while it is active. */
    DisabledReason: 'command' | 'gone' | 'failures' | null;
    LastOutcome: string | null;
    LastAttemptMs: number | null;
    /** Raised by each claim, so that a process which has lost its lease changes nothing. */
    LeaseNumber: number;
    IsLeased: Flag;
  };
  staff_documents: {
    StaffRow: number;
    CompKey: string;
    /** The members of the JSON object that are not collections, without the closing brace. */
    Person: string;
    Tags: string;
    TTCMTags: string;
    Skillset: string;
    Profiles: string;
    /** Digest of how the document was built; empty when a version wrote it that knows no forms. */
    Form: string;
    /** The version of the person that it shows. */
    Revision: number;
  };
  staff_tags: TagLink & { StaffRow: number };
  staff_skillset: Days<Schemas['SkillsetUpdate']> & { StaffRow: number; TaskRow: number };
  staff_profiles: { StaffRow: number; ProfileRow: number; IsViewable: Flag; IsSchedulable: Flag };
  staff_locations: {
    StaffRow: number;
    LocationRow: number;
    IsCredentialed: Flag;
    InactiveDate: string | null;
    /** A JSON array. */
    Credentials: string;
  };
  staff_location_tags: TagLink & { StaffRow: number; LocationRow: number };
  staff_badges: { StaffRow: number; BadgeId: string; BadgeGroup: string | null };
  pay_modifiers: {
    PayModifierRow: Generated<number>;
    StaffRow: number;
    PayModifierKey: string;
    LocationTagKey: number | null;
    TaskTagKey: number | null;
    PositionId: string | null;
    IsPrimaryPosition: Flag;
    StartDate: string | null;
    EndDate: string | null;
    IsHistoricAccessLocked: Flag;
  };
  pay_modifier_tags: { PayModifierRow: number; CategoryKey: number; TagKey: number };
  request_limits: {
    LimitRow: Generated<number>;
    CompanyKey: string;
    Key: string;
    Name: string;
    StartDate: string | null;
    EndDate: string | null;
    Type: string | null;
    RecurringLength: number | null;
    CreditSource: string | null;
    ErrorMessage: string | null;
    IsActive: Flag;
    DailyTotalMaxAllowedMon: number | null;
    DailyTotalMaxAllowedTue: number | null;
    DailyTotalMaxAllowedWed: number | null;
    DailyTotalMaxAllowedThu: number | null;
    DailyTotalMaxAllowedFri: number | null;
    DailyTotalMaxAllowedSat: number | null;
    DailyTotalMaxAllowedSun: number | null;
  };
  request_limit_shifts: {
    LimitRow: number;
    TaskRow: number;
    DayOfTheWeek: string;
    TaskShiftKey: string | null;
    IsIncluded: Flag;
    Credit: number;
  };
  request_limit_staff: {
    StaffRow: number;
    LimitRow: number;
    StaffRequestLimit: number | null;
    StaffTotalLimit: number | null;
  };
  audit: {
    AuditRow: Generated<number>;
    AtUtc: string;
    CompanyKey: string;
    Account: string;
    RequestId: string;
    Operation: string;
    StaffKey: string;
    /** A JSON array of names. */
    ChangedFields: string;
  };
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** Runs a transaction with the only write access to the company. `work` may run again after a conflict. */
export type TransactCompany = <T>(companyKey: string, work: (trx: Kysely<Tables>) => Promise<T>) => Promise<T>;
