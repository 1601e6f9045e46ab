import { operations } from '@rostergate/staff-server';

/** A request of one operation on people, good but for the keys in its path. */
export interface StaffRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly isWrite: boolean;
}

/** What to send to each operation that takes a body. */
const bodies: Readonly<Record<string, unknown>> = {
  createStaffMember: { StaffId: 'never-stored' },
  updateStaffMember: { Fte: 0.5 },
  addStaffTag: { category: 'Team', name: 'Blue' },
  addStaffLocationTag: { categoryName: 'Team', tagName: 'Blue' },
  setStaffSkillset: { IsSkilledMon: true },
  setStaffProfile: { IsViewable: true },
  createPayModifier: { StartDate: '2026-01-01T00:00:00' },
  updatePayModifier: { EndDate: '2026-12-31T00:00:00' },
  setStaffManager: { IsClearManagerId: true },
};

/** One request for each of the 18 operations, about the person of a key. */
export function createRequests(staffKey: string): StaffRequest[] {
  return Object.values(operations)
    .filter(({ path }) => path.startsWith('/staffmember'))
    .map(({ operationId, method, path }) => ({
      operationId,
      method: method.toUpperCase(),
      path: `/v2${path.replace('{staff_key}', encodeURIComponent(staffKey)).replace(/\{\w+\}/g, 'no-such-key')}`,
      ...(operationId in bodies ? { json: bodies[operationId] } : {}),
      isWrite: method !== 'get',
    }));
}

/** The same for tests that are never let through to anybody. */
export const requests = createRequests('no-such-person');
