import { Problem } from '@rostergate/runtime/problem';
import type { StaffCall } from '../staff-call.ts';
import { collectionOf, findEntry, findPerson, findSkill } from './find-changed.ts';
import { as, person, readList, readPerson, withMembers, withQuery } from './vendor-calls.ts';
import { entriesOf, isSameKey, membersOf } from './vendor-members.ts';

/** How the vendor has one operation. */
export interface OperationForm {
  /** The call in the vendor's form. */
  readonly out: (call: StaffCall) => StaffCall;
  /** Nothing in it names the company: the account alone would say whose person may be meant. */
  readonly isWithoutCompany?: true;
  /** Only of operations that change something. */
  readonly change?: ChangeForm;
}

export interface ChangeForm {
  /** The contract's status; the vendor says 200 of every success. `before` is what `lookFirst` found. */
  readonly status: (call: StaffCall, made: unknown, before: unknown) => number;
  /** Reads, before the change, what the vendor's response does not tell: whether something exists already. */
  readonly lookFirst?: (call: StaffCall) => StaffCall | undefined;
  /** What the contract answers, within what the vendor answered; undefined when it is not there. */
  readonly find: (told: unknown, call: StaffCall) => unknown;
  /** Asks for what the answer did not tell. */
  readonly lookAgain?: (call: StaffCall) => StaffCall;
  /** What to ask where there is nothing to change yet: the vendor adds by another request. */
  readonly add?: (call: StaffCall) => StaffCall;
}

const ok = () => 200;
const created = () => 201;
const nothing = () => ({});

/** Every operation that the vendor has; of one that is not here it has none. */
export const operationForms: Readonly<Record<string, OperationForm>> = {
  listStaffMembers: { out: (call) => call },
  getStaffMember: { out: (call) => withQuery(call, { CompanyKey: call.companyKey }) },
  listStaffLocations: { out: (call) => withQuery(call, { companyKey: call.companyKey }) },
  listPayModifiers: { out: (call) => withQuery(call, { companyKey: call.companyKey }) },
  listRequestLimits: { out: (call) => withQuery(call, { CompanyKey: call.companyKey }) },
  createStaffMember: {
    out: (call) => withMembers(call, { CompanyKey: call.companyKey }),
    change: {
      // The vendor answers alike to both: whose key was there before has been updated.
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
      find: (told, { body }) => findEntry(collectionOf(told, 'Tags'), 'CategoryName', membersOf(body).category),
      lookAgain: (call) => readPerson(call, 'Tags'),
    },
  },
  addStaffLocationTag: {
    out: (call) => withMembers(as('post', call.operation.path, byName(call)), { companyKey: call.companyKey }),
    change: {
      status: ok,
      find: (told, { path }) =>
        entriesOf(told).find(({ Location }) => isSameKey(membersOf(Location).LocationKey, path.location_key)),
      lookAgain: (call) => readList(call, `${person}/location`),
    },
  },
  setStaffSkillset: {
    out: (call) => withMembers(call, { companyKey: call.companyKey }),
    change: {
      status: ok,
      find: (told, { path }) => findSkill(told, path.task_key),
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
      find: (told, { path }) => findEntry(collectionOf(told, 'Profiles'), 'ProfileKey', path.profile_key),
      lookAgain: (call) => readPerson(call, 'Profiles'),
      add: (call) => withMembers(as('post', `${person}/profile`, call), { UserProfileKey: call.path.profile_key }),
    },
  },
  createPayModifier: {
    out: (call) => ({ ...call, body: [{ ...membersOf(call.body), companyKey: call.companyKey }] }),
    change: { status: created, find: (told) => entriesOf(told).find(({ PayModifierKey }) => PayModifierKey) },
  },
  updatePayModifier: {
    out: (call) => withMembers(call, { companyKey: call.companyKey }),
    change: {
      status: ok,
      find: (told, { path }) => findEntry(told, 'PayModifierKey', path.pay_modifier_key),
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

/** The vendor knows tags by their names alone. */
function byName(call: StaffCall): StaffCall {
  if (membersOf(call.body).TagKey === undefined) return call;
  throw missing('The upstream knows tags by their names: name the category and the tag instead of TagKey.');
}

export function missing(detail: string): Problem {
  return new Problem('not_implemented', detail);
}
