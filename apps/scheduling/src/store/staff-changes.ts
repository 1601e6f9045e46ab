import type { Fault } from '@rostergate/server/problem';
import { entityOf, type Schemas, staffMemberType } from '../entity-model.ts';
import { checkDateOrder, readInstant, requireNoFaults } from './body-checks.ts';
import { findManager } from './manager.ts';
import type { Row } from './tables.ts';
import type { Unit } from './unit-of-work.ts';

export type StaffChanges = Partial<Row<'staff'>>;

type Body = Schemas['StaffMemberUpdate'];

const kinds = new Map(entityOf(staffMemberType).scalars.map(({ name, kind }) => [name, kind]));
const periods = [
  ['StartDate', 'EndDate'],
  ['PayrollStartDate', 'PayrollEndDate'],
  ['TimeClockStartDate', 'TimeClockEndDate'],
] as const;

/**
 * Returns the columns that a request changes, including derived ones. The rules apply to the outcome: the request over
 * the stored values. A stored value is never a fault, so that a response may be sent back.
 * @throws Problem 400 `validation_failed` with every fault
 */
export async function readStaffChanges(
  unit: Unit,
  body: Body,
  person: Row<'staff'> | undefined,
): Promise<StaffChanges> {
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
  checkTexts(body, person, faults);
  const dated = { sent: body, current: person, outcome: { ...person, ...changes } };
  for (const period of periods) checkDateOrder(dated, period, faults);
  if (body.ManagerId === null) Object.assign(changes, { ManagerRow: null, Manager: null });
  else if (body.ManagerId !== undefined) {
    Object.assign(changes, await findManager(unit, person, { StaffId: body.ManagerId }, faults));
  }
  checkManagerName(body, { ...person, ...changes }, faults);
  requireNoFaults(faults);
  return changes;
}

/** Three or six hexadecimal digits, or four or eight with opacity, with or without `#`; or empty. */
export const colour = /^(?:#?(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8}))?$/i;

function checkTexts(body: Body, person: Row<'staff'> | undefined, faults: Fault[]): void {
  if (body.StaffId !== undefined && body.StaffId !== person?.StaffId && body.StaffId.trim() === '') {
    faults.push({ pointer: '/StaffId', detail: 'must not be blank' });
  }
  for (const name of ['BgColor', 'TextColor'] as const) {
    const value = body[name];
    if (typeof value !== 'string' || value === person?.[name] || colour.test(value)) continue;
    faults.push({ pointer: `/${name}`, detail: 'must be a colour in hexadecimal, such as #1F6FEB, or null for none' });
  }
}

/** The manager's name is derived. It may be sent back unchanged; any other value would be lost. */
function checkManagerName({ Manager }: Body, outcome: StaffChanges, faults: Fault[]): void {
  if (Manager === undefined || Manager === (outcome.Manager ?? null)) return;
  faults.push({ pointer: '/Manager', detail: 'is derived from ManagerId: set ManagerId instead' });
}
