import type { Fault } from '@rostergate/runtime/problem';
import type { Schemas } from '../entity-model.ts';
import type { WriteScope } from './scope.ts';
import type { Row } from './tables.ts';

export interface TagName {
  readonly category: string;
  readonly name: string;
}

/** What the rows of a roster can refer to. */
export interface RosterFacts {
  /** StaffIds of the company's people, with those of their managers. */
  readonly managers: ReadonlyMap<string, string | null>;
  /** Tags by category and name. */
  readonly tags: ReadonlyMap<string, ReadonlyMap<string, Row<'tags'>>>;
  /** Rows of profiles by name. */
  readonly profiles: ReadonlyMap<string, number>;
}

export type RosterBody = Omit<Schemas['StaffMemberCreate'], 'Manager' | 'UpdateIfExisting'>;

/** A person as a roster has them. Tags and profiles are added to those that there are. */
export interface RosterRow {
  readonly body: RosterBody;
  readonly tags: readonly Row<'tags'>[];
  readonly profileRows: readonly number[];
}

export interface RosterOutcome {
  /** `none`: nothing of the row was written. */
  readonly kind: 'added' | 'changed' | 'same' | 'none';
  /**
   * What keeps the manager from being set: nobody has the StaffId yet, or that person answers to this one until later
   * rows are in. A person who exists keeps the manager of before, and a new person is not added.
   */
  readonly managerFaults: readonly Fault[];
  /** What keeps all of the row from being written. */
  readonly faults: readonly Fault[];
}

/** Whole rosters: many people in one transaction, each with an audit row and a version of their own. */
export interface RosterStore {
  readFacts(companyKey: string): Promise<RosterFacts>;
  hasCompany(companyKey: string): Promise<boolean>;
  /** Faults of each body by the rules of the store; those of managers are left to whoever sees the whole roster. */
  check(scope: WriteScope, bodies: readonly RosterBody[]): Promise<(readonly Fault[])[]>;
  addTags(companyKey: string, tags: readonly TagName[]): Promise<void>;
  /** One transaction: all rows that can be written, or none when it throws. */
  put(scope: WriteScope, rows: readonly RosterRow[]): Promise<RosterOutcome[]>;
}
