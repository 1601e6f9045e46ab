import { Problem } from '@rostergate/server/problem';
import type { StaffCall } from '../staff-call.ts';
import {
  as,
  collectionOf,
  entriesOf,
  findEntry,
  findPerson,
  findSkill,
  isSameKey,
  membersOf,
  person,
  readList,
  readPerson,
  withMembers,
  withQuery,
} from './vendor-calls.ts';

/** The vendor's form of one operation. */
export interface OperationForm {
  /** Returns the call in the vendor's form. */
  readonly out: (call: StaffCall) => StaffCall;
  /** The request cannot name the company, so the vendor would search all companies of the account. */
  readonly isWithoutCompany?: true;
  /** For operations that change data. */
  readonly change?: ChangeForm;
}

export interface ChangeForm {
  /** Returns the contract's status; the vendor's is 200 for every success. `before` is the result of `lookFirst`. */
  readonly status: (call: StaffCall, made: unknown, before: unknown) => number;
  /** Returns the call to read, before the change, what the vendor's response does not contain. */
  readonly lookFirst?: (call: StaffCall) => StaffCall | undefined;
  /** Returns the contract's response within the vendor's; undefined when it is not there. */
  readonly find: (value: unknown, call: StaffCall) => unknown;
  /** Returns the call to read, after the change, what the vendor's response did not contain. */
  readonly lookAgain?: (call: StaffCall) => StaffCall;
  /** Returns the vendor's call to add what does not exist yet. */
  readonly add?: (call: StaffCall) => StaffCall;
}

const ok = () => 200;
const created = () => 201;
const nothing = () => ({});

/** All operations of the vendor. */
export const operationForms: Readonly<Record<string, OperationForm>> = {
  listStaffMembers: { out: (call) => call },
  getStaffMember: { out: (call) => withQuery(call, { CompanyKey: call.companyKey }) },
  listStaffLocations: { out: (call) => withQuery(call, { companyKey: call.companyKey }) },
  listPayModifiers: { out: (call) => withQuery(call, { companyKey: call.companyKey }) },
  listRequestLimits: { out: (call) => withQuery(call, { CompanyKey: call.companyKey }) },
  createStaffMember: {
    out: (call) => withMembers(call, { CompanyKey: call.companyKey }),
    change: {
      // The vendor's response is the same for both: a person who existed before has been updated.
      status: (_call, made, before) => (hasPerson(before, made) ? 200 : 201),
      lookFirst: (call) => (membersOf(call.body).UpdateIfExisting === true ? findByStaffId(call) : undefined),
      find: findPerson,
    },
  },
  updateStaffMember: {
    out: (call) => withMembers(call, { CompanyKey: call.companyKey }),
    change: { status: ok, find: findPerson, lookAgain: (call) => readPerson(call) },
  },
  setStaffManager: {
    out: (call) => {
      const { ManagerId = '', IsClearManagerId = false } = membersOf(call.body);
      const query = { companyKey: call.companyKey, managerId: String(ManagerId) };
      const put = as('put', `${person}/manager/`, { ...call, body: { IsClearManagerId } });
      return withQuery(put, IsClearManagerId === true ? { ...query, IsClearManagerId: 'true' } : query);
    },
    change: { status: ok, find: findPerson, lookAgain: (call) => readPerson(call) },
  },
  addStaffTag: {
    out: (call) => withMembers(byName(call), { companyKey: call.companyKey }),
    change: {
      status: created,
      find: (value, { body }) => findEntry(collectionOf(value, 'Tags'), 'CategoryName', membersOf(body).category),
      lookAgain: (call) => readPerson(call, 'Tags'),
    },
  },
  addStaffLocationTag: {
    out: (call) => withMembers(as('post', call.operation.path, byName(call)), { companyKey: call.companyKey }),
    change: {
      status: ok,
      find: (value, { path }) =>
        entriesOf(value).find(({ Location }) => isSameKey(membersOf(Location).LocationKey, path.location_key)),
      lookAgain: (call) => readList(call, `${person}/location`),
    },
  },
  setStaffSkillset: {
    out: (call) => withMembers(call, { companyKey: call.companyKey }),
    change: {
      status: ok,
      find: (value, { path }) => findSkill(value, path.task_key),
      lookAgain: (call) => readPerson(call, 'Skillset'),
      add: (call) =>
        withMembers(as('post', `${person}/skillset`, call), {
          taskId: call.path.task_key,
          companyKey: call.companyKey,
        }),
    },
  },
  removeStaffSkillset: {
    out: (call) => withQuery(call, { companyKey: call.companyKey }),
    change: { status: ok, find: nothing },
  },
  setStaffProfile: {
    out: (call) => call,
    isWithoutCompany: true,
    change: {
      status: ok,
      find: (value, { path }) => findEntry(collectionOf(value, 'Profiles'), 'ProfileKey', path.profile_key),
      lookAgain: (call) => readPerson(call, 'Profiles'),
      add: (call) => withMembers(as('post', `${person}/profile`, call), { UserProfileKey: call.path.profile_key }),
    },
  },
  createPayModifier: {
    out: (call) => ({ ...call, body: [{ ...membersOf(call.body), companyKey: call.companyKey }] }),
    change: { status: created, find: (value) => entriesOf(value).find(({ PayModifierKey }) => PayModifierKey) },
  },
  updatePayModifier: {
    out: (call) => withMembers(call, { companyKey: call.companyKey }),
    change: {
      status: ok,
      find: (value, { path }) => findEntry(value, 'PayModifierKey', path.pay_modifier_key),
      lookAgain: (call) => readList(call, `${person}/payModifier`),
    },
  },
  deletePayModifier: {
    out: (call) => withQuery(call, { companyKey: call.companyKey }),
    change: { status: ok, find: nothing },
  },
};

function findByStaffId(call: StaffCall): StaffCall {
  const literal = `'${String(membersOf(call.body).StaffId).replaceAll("'", "''")}'`;
  return withQuery(readList(call, call.operation.path), { $filter: `StaffId eq ${literal}` });
}

function hasPerson(people: unknown, person: unknown): boolean {
  const { StaffKey } = membersOf(person);
  return Array.isArray(people) && entriesOf(people).some((one) => isSameKey(one.StaffKey, StaffKey));
}

/** The vendor identifies tags by name only. */
function byName(call: StaffCall): StaffCall {
  if (membersOf(call.body).TagKey === undefined) return call;
  throw missing('The upstream identifies tags by name: send the category and the tag instead of TagKey.');
}

export function missing(detail: string): Problem {
  return new Problem('not_implemented', detail);
}
