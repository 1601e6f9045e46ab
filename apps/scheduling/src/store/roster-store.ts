import { type Fault, Problem } from '@rostergate/server/problem';
import type { Kysely } from 'kysely';
import type { Schemas } from '../entity-model.ts';
import { createAuditRow } from './audit.ts';
import { insertRows } from './insert-rows.ts';
import { farOff } from './location-tags.ts';
import { findManager } from './manager.ts';
import { createStamps } from './person-version.ts';
import { forgetUntil } from './removed-staff.ts';
import type { WriteScope } from './scope.ts';
import { readStaffChanges } from './staff-changes.ts';
import { refreshDocuments } from './staff-documents.ts';
import type { Row, Tables } from './tables.ts';
import { touchStaff, type Unit, type WriteDeps } from './unit-of-work.ts';
import { applyStaffChanges, insertStaff, namesGiven } from './write-staff.ts';

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

export type RosterStore = ReturnType<typeof createRosterStore>;

/** Imports rosters: many people in one transaction, each with an audit row and a version of their own. */
export function createRosterStore(reads: Kysely<Tables>, deps: WriteDeps) {
  const { flavour, clock, newKey, transact } = deps;
  const flag = flavour.flag;

  async function putRow(unit: Unit, row: RosterRow, existing: Row<'staff'> | undefined): Promise<PutRow> {
    const { ManagerId, ...body } = row.body;
    const isMoving = ManagerId !== undefined && ManagerId !== (existing?.ManagerId ?? null);
    const managerFaults: Fault[] = [];
    const none = { ManagerRow: null, ManagerId: null, Manager: null };
    const manager =
      isMoving && ManagerId !== null ? await findManager(unit, existing, { StaffId: ManagerId }, managerFaults) : none;
    const staffFaults: Fault[] = [];
    const read = await faultsOf(() => readStaffChanges(unit, body, existing), staffFaults);
    if (read === undefined || (existing === undefined && manager === undefined)) {
      return { kind: 'none', staffKey: '', changed: [], managerFaults, faults: staffFaults };
    }
    const changes = { ...read, ...(isMoving && manager) };
    const changed = existing === undefined ? namesGiven(changes) : await applyStaffChanges(unit, existing, changes);
    const staffKey = existing?.StaffKey ?? newKey();
    const staffRow = existing?.StaffRow ?? (await insertStaff(unit, staffKey, body.StaffId, changes));
    if (await addTagsOf(unit, staffRow, row.tags)) changed.push('Tags');
    if (await addProfiles(unit, staffRow, row.profileRows)) changed.push('Profiles');
    if (changed.length > 0) await touchStaff(unit, staffRow);
    const kind = existing === undefined ? 'added' : changed.length === 0 ? 'same' : 'changed';
    return { kind, staffKey, changed, managerFaults, faults: staffFaults };
  }

  return {
    readFacts: (companyKey: string) => readFacts(reads, companyKey),
    async hasCompany(companyKey: string): Promise<boolean> {
      const company = reads.selectFrom('companies').select('CompanyKey').where('CompanyKey', '=', companyKey);
      return (await company.executeTakeFirst()) !== undefined;
    },
    /** Returns the faults of each body by the rules of the store, except those of managers, which depend on other rows. */
    async check(scope: WriteScope, bodies: readonly RosterBody[]): Promise<(readonly Fault[])[]> {
      const unit: Unit = {
        trx: reads,
        scope,
        ...(await createStamps(reads, flavour, scope.companyKey, clock)),
        flag,
        touched: new Set(),
      };
      const present = await findPeople(unit, bodies);
      return Promise.all(
        bodies.map(async ({ ManagerId: _, ...body }) => {
          const faults: Fault[] = [];
          await faultsOf(() => readStaffChanges(unit, body, present.get(body.StaffId)), faults);
          return faults;
        }),
      );
    },
    addTags: (companyKey: string, tags: readonly TagName[]): Promise<void> =>
      transact(companyKey, async (trx) => {
        for (const { category, name } of tags) {
          await trx
            .insertInto('tag_categories')
            .values({ CompanyKey: companyKey, Name: category, IsTimeClock: flag(false) })
            .onConflict((on) => on.columns(['CompanyKey', 'Name']).doNothing())
            .execute();
          const { CategoryKey } = await trx
            .selectFrom('tag_categories')
            .select('CategoryKey')
            .where('CompanyKey', '=', companyKey)
            .where('Name', '=', category)
            .executeTakeFirstOrThrow();
          await trx
            .insertInto('tags')
            .values({ CategoryKey, Name: name })
            .onConflict((on) => on.columns(['CategoryKey', 'Name']).doNothing())
            .execute();
        }
      }),
    /** Writes in one transaction all rows that can be written; none when it throws. */
    put: (scope: WriteScope, rows: readonly RosterRow[]): Promise<RosterOutcome[]> =>
      transact(scope.companyKey, async (trx) => {
        const stamps = await createStamps(trx, flavour, scope.companyKey, clock);
        const touched = new Set<number>();
        const audit: Omit<Row<'audit'>, 'AuditRow'>[] = [];
        const outcomes: RosterOutcome[] = [];
        const common = { trx, scope, ...stamps, flag };
        const present = await findPeople(
          { ...common, touched },
          rows.map(({ body }) => body),
        );
        for (const row of rows) {
          const existing = present.get(row.body.StaffId);
          // Each row gets a version of its own, as if it were written alone.
          const unit: Unit = { ...common, touched: new Set() };
          const { staffKey, changed, ...outcome } = await putRow(unit, row, existing);
          for (const staffRow of unit.touched) touched.add(staffRow);
          outcomes.push(outcome);
          if (changed.length === 0) continue;
          audit.push(createAuditRow(scope, { now: stamps.now, staffKey, changed }));
        }
        await refreshDocuments(trx, flavour, touched);
        await insertRows(trx, 'audit', audit as Row<'audit'>[]);
        // A company that moves here brings no removals: clients that followed it elsewhere start again.
        if (stamps.isFirst && touched.size > 0) await forgetUntil(trx, scope.companyKey, stamps.stamp);
        return outcomes;
      }),
  };
}

interface PutRow extends RosterOutcome {
  readonly staffKey: string;
  readonly changed: readonly string[];
}

/** Runs `work` and collects its validation faults. */
async function faultsOf<T>(work: () => Promise<T>, faults: Fault[]): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    faults.push(...error.errors);
    return undefined;
  }
}

async function readFacts(db: Kysely<Tables>, companyKey: string): Promise<RosterFacts> {
  const people = await db
    .selectFrom('staff')
    .select(['StaffId', 'ManagerId'])
    .where('CompKey', '=', companyKey)
    .execute();
  const found = await db
    .selectFrom('tags')
    .innerJoin('tag_categories', 'tag_categories.CategoryKey', 'tags.CategoryKey')
    .where('tag_categories.CompanyKey', '=', companyKey)
    .select(['tags.TagKey', 'tags.CategoryKey', 'tags.Name', 'tag_categories.Name as Category'])
    .execute();
  const tags = new Map<string, Map<string, Row<'tags'>>>();
  for (const { Category, ...tag } of found) {
    const ofCategory = tags.get(Category) ?? new Map<string, Row<'tags'>>();
    tags.set(Category, ofCategory.set(tag.Name, tag));
  }
  const profiles = await db
    .selectFrom('profiles')
    .select(['Name', 'ProfileRow'])
    .where('CompanyKey', '=', companyKey)
    .execute();
  return {
    managers: new Map(people.map(({ StaffId, ManagerId }) => [StaffId, ManagerId])),
    tags,
    profiles: new Map(profiles.map(({ Name, ProfileRow }) => [Name, ProfileRow])),
  };
}

async function findPeople({ trx, scope }: Unit, bodies: readonly RosterBody[]): Promise<Map<string, Row<'staff'>>> {
  if (bodies.length === 0) return new Map();
  const people = await trx
    .selectFrom('staff')
    .selectAll()
    .where('CompKey', '=', scope.companyKey)
    .where(
      'StaffId',
      'in',
      bodies.map(({ StaffId }) => StaffId),
    )
    .execute();
  return new Map(people.map((person) => [person.StaffId, person]));
}

/** Adds tags and returns whether any is new. Existing tags are unchanged. */
async function addTagsOf({ trx, now }: Unit, StaffRow: number, tags: RosterRow['tags']): Promise<boolean> {
  if (tags.length === 0) return false;
  const period = { EffectiveFromDate: `${now.slice(0, 10)}T00:00:00`, EffectiveToDate: farOff };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('staff_tags')
    .values(tags.map(({ CategoryKey, TagKey }) => ({ StaffRow, CategoryKey, TagKey, ...period })))
    .onConflict((on) => on.columns(['StaffRow', 'CategoryKey', 'TagKey']).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}

/** Adds profiles, viewable and not schedulable, and returns whether any is new. Existing profiles are unchanged. */
async function addProfiles({ trx, flag }: Unit, StaffRow: number, profileRows: readonly number[]): Promise<boolean> {
  if (profileRows.length === 0) return false;
  const flags = { IsViewable: flag(true), IsSchedulable: flag(false) };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('staff_profiles')
    .values(profileRows.map((ProfileRow) => ({ StaffRow, ProfileRow, ...flags })))
    .onConflict((on) => on.columns(['StaffRow', 'ProfileRow']).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}
