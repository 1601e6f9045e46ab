import { type Fault, Problem } from '@rostergate/server/problem';
import type { Schemas } from '../entity-model.ts';
import { plainQuery } from '../staff-query.ts';
import { differingNames, requireNoFaults } from './body-checks.ts';
import { findManager } from './manager.ts';
import type { VersionedJson } from './person-version.ts';
import type { WriteScope } from './scope.ts';
import { readStaffChanges, type StaffChanges } from './staff-changes.ts';
import type { Row } from './tables.ts';
import {
  requireVersion,
  touchStaff,
  type Unit,
  versionAfter,
  type WriteDeps,
  writeOnStaff,
  writeUnit,
} from './unit-of-work.ts';

export interface WrittenStaff extends VersionedJson {
  readonly staffKey: string;
  readonly isNew: boolean;
}

/** The name of a new person who is given none. */
export const placeholder = 'CHANGEME';

/** Adds a person, or with UpdateIfExisting changes the person with this StaffId. */
export function createStaff(
  deps: WriteDeps,
  scope: WriteScope,
  { UpdateIfExisting = false, ...body }: Schemas['StaffMemberCreate'],
): Promise<WrittenStaff> {
  return writeUnit(deps, scope, async (unit) => {
    const taken = await findByStaffId(unit, body.StaffId);
    const existing = UpdateIfExisting ? taken : undefined;
    if (taken === existing) requireVersion(scope, existing);
    const changes = await readStaffChanges(unit, body, existing);
    if (taken !== existing) throw staffIdTaken(body.StaffId);
    const staffKey = existing?.StaffKey ?? deps.newKey();
    let changed: string[];
    if (existing === undefined) {
      changed = namesGiven(changes);
      await insertStaff(unit, staffKey, body.StaffId, changes);
    } else {
      changed = await applyStaffChanges(unit, existing, changes);
    }
    return {
      staffKey,
      changed,
      reply: async () => {
        const { json } = await deps.reads.readStaff(scope, staffKey, plainQuery, unit.trx);
        const version = existing === undefined ? { revision: 1, modified: unit.stamp } : versionAfter(unit, existing);
        return { staffKey, isNew: existing === undefined, json, ...version };
      },
    };
  });
}

/** Changes the properties that are sent; null clears. */
export function updateStaff(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  body: Schemas['StaffMemberUpdate'],
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, person) => {
    const changes = await readStaffChanges(unit, body, person);
    if (body.StaffId !== undefined && body.StaffId !== person.StaffId) {
      if ((await findByStaffId(unit, body.StaffId)) !== undefined) throw staffIdTaken(body.StaffId);
    }
    const changed = await applyStaffChanges(unit, person, changes);
    return { changed, reply: () => readBack(deps, unit, staffKey) };
  });
}

/** Sets the manager by StaffId or by key, or clears it. */
export function setManager(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  { ManagerId, ManagerKey }: Schemas['StaffManagerUpdate'],
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, person) => {
    const faults: Fault[] = [];
    let changes: StaffChanges = { ManagerRow: null, ManagerId: null, Manager: null };
    if (ManagerId !== undefined) changes = (await findManager(unit, person, { StaffId: ManagerId }, faults)) ?? {};
    else if (ManagerKey !== undefined)
      changes = (await findManager(unit, person, { StaffKey: ManagerKey }, faults)) ?? {};
    requireNoFaults(faults);
    const changed = await applyStaffChanges(unit, person, changes);
    return { changed, reply: () => readBack(deps, unit, staffKey) };
  });
}

async function readBack({ reads }: WriteDeps, { scope, trx }: Unit, staffKey: string): Promise<string> {
  return (await reads.readStaff(scope, staffKey, plainQuery, trx)).json;
}

/** Inserts a person with the defaults of a new one, and returns the row number. */
export async function insertStaff(
  unit: Unit,
  StaffKey: string,
  StaffId: string,
  changes: StaffChanges,
): Promise<number> {
  const { flag } = unit;
  const row = {
    Abbrev: placeholder,
    FirstName: placeholder,
    LastName: placeholder,
    IsActive: flag(true),
    IsAutoApproveSwap: flag(false),
    TextFromQuickLinks: flag(false),
    ...changes,
    CompKey: unit.scope.companyKey,
    StaffKey,
    StaffId,
    LastModifiedDateUtc: unit.stamp,
  };
  const { StaffRow } = await unit.trx
    .insertInto('staff')
    .values(row as never)
    .returning('StaffRow')
    .executeTakeFirstOrThrow();
  unit.touched.add(StaffRow);
  return StaffRow;
}

/**
 * Writes the changed columns and returns their names. Reports store their manager's name and StaffId, so they change
 * too: the names then include `Reports.Manager` or `Reports.ManagerId`.
 */
export async function applyStaffChanges(unit: Unit, person: Row<'staff'>, changes: StaffChanges): Promise<string[]> {
  const differing = differingNames(person, changes);
  if (differing.length === 0) return [];
  await unit.trx.updateTable('staff').set(changes).where('StaffRow', '=', person.StaffRow).execute();
  await touchStaff(unit, person.StaffRow);
  const changed = differing.filter((name) => !isHidden(name));
  const outcome = { ...person, ...changes };
  const carried = {
    ...(nameOf(outcome) !== nameOf(person) && { Manager: nameOf(outcome) }),
    ...(outcome.StaffId !== person.StaffId && { ManagerId: outcome.StaffId }),
  };
  const carriedNames = Object.keys(carried);
  if (carriedNames.length === 0) return changed;
  const reports = await unit.trx
    .updateTable('staff')
    .set(carried)
    .where('ManagerRow', '=', person.StaffRow)
    .returning('StaffRow')
    .execute();
  await touchStaff(
    unit,
    reports.map(({ StaffRow }) => StaffRow),
  );
  return reports.length === 0 ? changed : [...changed, ...carriedNames.map((name) => `Reports.${name}`)];
}

/** Returns the names of the properties that a new person is given. */
export function namesGiven(changes: StaffChanges): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === null || isHidden(name) ? [] : [name]));
}

/** ManagerRow is the stored form of ManagerId. */
const isHidden = (name: string): boolean => name === 'ManagerRow';

const nameOf = ({ FirstName, LastName }: Pick<Row<'staff'>, 'FirstName' | 'LastName'>) => `${FirstName} ${LastName}`;

async function findByStaffId({ trx, scope }: Unit, staffId: string): Promise<Row<'staff'> | undefined> {
  return trx
    .selectFrom('staff')
    .selectAll()
    .where('CompKey', '=', scope.companyKey)
    .where('StaffId', '=', staffId)
    .executeTakeFirst();
}

function staffIdTaken(staffId: string): Problem {
  const fault = { pointer: '/StaffId', detail: 'is the StaffId of another person' };
  const id = JSON.stringify(staffId);
  return new Problem('conflict', `The StaffId ${id} is taken. Choose another, or update that person instead.`, {
    errors: [fault],
  });
}
