import type { Fault } from '@rostergate/server/problem';
import type { Schemas } from '../entity-model.ts';
import type { WriteScope } from './scope.ts';
import type { Row } from './tables.ts';

export interface TagName {
  readonly category: string;
  readonly name: string;
}

/** The entries that the rows of a roster can refer to. */
export interface RosterFacts {
  /** StaffIds of the company's people, each with the StaffId of the manager. */
  readonly managers: ReadonlyMap<string, string | null>;
  readonly tags: ReadonlyMap<string, ReadonlyMap<string, Row<'tags'>>>;
  /** Row numbers of profiles by name. */
  readonly profiles: ReadonlyMap<string, number>;
}

export type RosterBody = Omit<Schemas['StaffMemberCreate'], 'Manager' | 'UpdateIfExisting'>;

/** A person of a roster. Tags and profiles are added to the existing ones. */
export interface RosterRow {
  readonly body: RosterBody;
  readonly tags: readonly Row<'tags'>[];
  readonly profileRows: readonly number[];
}

export interface RosterOutcome {
  /** `none`: nothing of the row was written. */
  readonly kind: 'added' | 'changed' | 'same' | 'none';
  /**
   * Why the manager cannot be set: no person has the StaffId yet, or that person reports to this one until later rows are
   * written. An existing person keeps the current manager; a new person is not added.
   */
  readonly managerFaults: readonly Fault[];
  /** Why nothing of the row can be written. */
  readonly faults: readonly Fault[];
}

/** Imports rosters: many people in one transaction, each with an audit row and a version of their own. */
export interface RosterStore {
  readFacts(companyKey: string): Promise<RosterFacts>;
  hasCompany(companyKey: string): Promise<boolean>;
  /**
   * Returns the faults of each body by the rules of the store, except those of managers, which depend on other rows.
   */
  check(scope: WriteScope, bodies: readonly RosterBody[]): Promise<(readonly Fault[])[]>;
  addTags(companyKey: string, tags: readonly TagName[]): Promise<void>;
  /** Writes in one transaction all rows that can be written; none when it throws. */
  put(scope: WriteScope, rows: readonly RosterRow[]): Promise<RosterOutcome[]>;
}
