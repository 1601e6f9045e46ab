import { type Fault, Problem } from '@rostergate/runtime/problem';
import type { Schemas } from '../contract-schemas.ts';
import { entityOf, staffMemberType } from '../entity-model.ts';
import { plainQuery } from '../staff-query.ts';
import { findManager } from './manager.ts';
import type { VersionedJson, WriteScope, WrittenStaff } from './staff-store.ts';
import type { Row } from './tables.ts';
import {
  readInstant,
  requireNoFaults,
  requireVersion,
  revisionAfter,
  touchStaff,
  type Unit,
  type WriteDeps,
  writeOnStaff,
  writeUnit,
} from './unit-of-work.ts';

type Changes = Partial<Row<'staff'>>;

const placeholder = 'CHANGEME';
const kinds = new Map(entityOf(staffMemberType).scalars.map(({ name, kind }) => [name, kind]));

/** Adds a person, or with UpdateIfExisting changes the one who has this StaffId. */
export function createStaff(
  deps: WriteDeps,
  scope: WriteScope,
  { UpdateIfExisting = false, ...body }: Schemas['StaffMemberCreate'],
): Promise<WrittenStaff> {
  return writeUnit(deps, scope, async (unit) => {
    const existing = await findByStaffId(unit, body.StaffId);
    if (existing !== undefined && !UpdateIfExisting) throw staffIdTaken(body.StaffId);
    requireVersion(scope, existing?.Revision);
    const changes = await readChanges(unit, body, existing);
    const staffKey = existing?.StaffKey ?? deps.newKey();
    let changed: string[];
    if (existing === undefined) {
      changed = Object.keys(body);
      await insert(unit, staffKey, body.StaffId, changes);
    } else {
      changed = await applyChanges(unit, existing, changes);
    }
    return {
      staffKey,
      changed,
      answer: async () => {
        const { json } = await deps.reads.readStaff(scope, staffKey, plainQuery, unit.trx);
        const revision = existing === undefined ? 1 : revisionAfter(unit, existing);
        return { staffKey, isNew: existing === undefined, json, revision };
      },
    };
  });
}

/** Changes the members that are sent; null clears. */
export function updateStaff(
  deps: WriteDeps,
  scope: WriteScope,
  staffKey: string,
  body: Schemas['StaffMemberUpdate'],
): Promise<VersionedJson> {
  return writeOnStaff(deps, scope, staffKey, async (unit, person) => {
    if (body.StaffId !== undefined && body.StaffId !== person.StaffId) {
      if ((await findByStaffId(unit, body.StaffId)) !== undefined) throw staffIdTaken(body.StaffId);
    }
    const changed = await applyChanges(unit, person, await readChanges(unit, body, person));
    return { changed, answer: () => readBack(deps, unit, staffKey) };
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
    let changes: Changes = { ManagerRow: null, ManagerId: null, Manager: null };
    if (ManagerId !== undefined) changes = (await findManager(unit, person, { StaffId: ManagerId }, faults)) ?? {};
    else if (ManagerKey !== undefined)
      changes = (await findManager(unit, person, { StaffKey: ManagerKey }, faults)) ?? {};
    requireNoFaults(faults);
    const changed = await applyChanges(unit, person, changes);
    return { changed, answer: () => readBack(deps, unit, staffKey) };
  });
}

async function readBack({ reads }: WriteDeps, { scope, trx }: Unit, staffKey: string): Promise<string> {
  return (await reads.readStaff(scope, staffKey, plainQuery, trx)).json;
}

/** The members of a request as they are kept. Throws with every fault. */
async function readChanges(
  unit: Unit,
  body: Schemas['StaffMemberUpdate'],
  person: Row<'staff'> | undefined,
): Promise<Changes> {
  const faults: Fault[] = [];
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'Manager') continue;
    const kind = kinds.get(name);
    if (typeof value === 'boolean') changes[name] = unit.flag(value);
    else if (typeof value === 'string' && (kind === 'instant' || kind === 'utc')) {
      changes[name] = readInstant(value, `/${name}`, faults);
    } else changes[name] = value;
  }
  if (body.ManagerId === null) Object.assign(changes, { ManagerRow: null, Manager: null });
  else if (body.ManagerId !== undefined) {
    Object.assign(changes, await findManager(unit, person, { StaffId: body.ManagerId }, faults));
  }
  checkManagerName(body, { ...person, ...changes } as Changes, faults);
  requireNoFaults(faults);
  return changes as Changes;
}

/** The manager's name follows from the manager. What was read may be sent back; anything else would be lost. */
function checkManagerName({ Manager }: Schemas['StaffMemberUpdate'], outcome: Changes, faults: Fault[]): void {
  if (Manager === undefined || Manager === (outcome.Manager ?? null)) return;
  faults.push({ pointer: '/Manager', detail: 'is the name of the person that ManagerId names: set ManagerId instead' });
}

async function insert(unit: Unit, StaffKey: string, StaffId: string, changes: Changes): Promise<void> {
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
    LastModifiedDateUtc: unit.now,
  };
  const { StaffRow } = await unit.trx
    .insertInto('staff')
    .values(row as never)
    .returning('StaffRow')
    .executeTakeFirstOrThrow();
  unit.touched.add(StaffRow);
}

/** Writes what differs and returns the names; reports carry their manager's name and StaffId along. */
async function applyChanges(unit: Unit, person: Row<'staff'>, changes: Changes): Promise<string[]> {
  const current = person as Readonly<Record<string, unknown>>;
  const differing = Object.entries(changes).filter(([name, value]) => !isSame(current[name], value));
  if (differing.length === 0) return [];
  const set = Object.fromEntries(differing);
  await unit.trx.updateTable('staff').set(set).where('StaffRow', '=', person.StaffRow).execute();
  await touchStaff(unit, person.StaffRow);
  const outcome = { ...person, ...changes };
  if (nameOf(outcome) !== nameOf(person) || outcome.StaffId !== person.StaffId) {
    const reports = await unit.trx
      .updateTable('staff')
      .set({ Manager: nameOf(outcome), ManagerId: outcome.StaffId })
      .where('ManagerRow', '=', person.StaffRow)
      .returning('StaffRow')
      .execute();
    await touchStaff(unit, ...reports.map(({ StaffRow }) => StaffRow));
  }
  return differing.map(([name]) => name).filter((name) => name !== 'ManagerRow');
}

const isSame = (a: unknown, b: unknown): boolean => (typeof b === 'boolean' ? Boolean(a) === b : a === b);
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
