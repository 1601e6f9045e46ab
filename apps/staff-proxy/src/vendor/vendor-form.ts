import type { HttpMethod, OpenApiDocument, RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { discard, type UpstreamResponse } from '@rostergate/runtime/upstream';
import type { StaffCall } from '../staff-call.ts';
import type { Exchange, UpstreamForm } from '../upstream/upstream-form.ts';
import { type AnswerShape, createAnswerShapes } from './answer-shapes.ts';
import { rewriteList } from './rewrite-list.ts';

export interface VendorFormOptions {
  /** The contract that the vendor's answers are brought to. */
  readonly document: OpenApiDocument;
  /** Where the operations stand here. */
  readonly ownBase: string;
}

/**
 * The vendor's forms, outwards alone: where it has another method, place or body for an operation, wants the company, or
 * answers with more or with something else than the contract. Callers meet the contract and nothing of this.
 */
export function createVendorForm({ document, ownBase }: VendorFormOptions): UpstreamForm {
  const shapes = createAnswerShapes(document, Object.keys(forms));

  return {
    async send(given, exchange) {
      const { operationId } = given.operation;
      const form = forms[operationId];
      if (form === undefined) throw missing('The upstream does not have this operation.');
      const { isList, shape } = shapes.get(operationId) as AnswerShape;
      const fit = (value: unknown) => shape(withBadges(value));
      const call = await identify(withoutVersions(given), form, exchange);
      if (call === 'token_refused') return call;
      const answer = await exchange.ask(form.out(call));
      if (answer === 'token_refused') return answer;
      if (form.change === undefined) {
        if (isList) return rewriteList(await exchange.relay(answer, call), fit);
        return jsonReply(200, fit(ofThisPerson(await exchange.read(answer), call)));
      }
      const made = await readChange(answer, call, form.change, exchange);
      if (made === 'token_refused') return made;
      const status = form.change.status(call);
      const reply = jsonReply(status, fit(made));
      if (operationId !== 'createStaffMember' || status !== 201) return reply;
      const key = encodeURIComponent(String(membersOf(made).StaffKey));
      return { ...reply, headers: { Location: `${ownBase}/staffmember/${key}` } };
    },
  };
}

/** How the vendor has one operation. */
interface OperationForm {
  /** The call in the vendor's form. */
  readonly out: (call: StaffCall) => StaffCall;
  /** Nothing in it names the company: the account alone would say whose person may be meant. */
  readonly isWithoutCompany?: true;
  /** Only of operations that change something. */
  readonly change?: ChangeForm;
}

interface ChangeForm {
  /** The contract's status; the vendor says 200 of every success. */
  readonly status: (call: StaffCall) => number;
  /** What the contract answers, within what the vendor answered; undefined when it is not there. */
  readonly find: (told: unknown, call: StaffCall) => unknown;
  /** Asks for what the answer did not tell. */
  readonly lookAgain?: (call: StaffCall) => StaffCall;
  /** What to ask where there is nothing to change yet: the vendor adds by another request. */
  readonly add?: (call: StaffCall) => StaffCall;
}

const person = '/staffmember/{staff_key}';
const ok = () => 200;
const created = () => 201;
const nothing = () => ({});

/** Every operation that the vendor has; of one that is not here it has none. */
const forms: Readonly<Record<string, OperationForm>> = {
  listStaffMembers: { out: (call) => call },
  getStaffMember: { out: (call) => withQuery(call, { CompanyKey: call.companyKey }) },
  listStaffLocations: { out: (call) => withQuery(call, { companyKey: call.companyKey }) },
  listPayModifiers: { out: (call) => withQuery(call, { companyKey: call.companyKey }) },
  listRequestLimits: { out: (call) => withQuery(call, { CompanyKey: call.companyKey }) },
  createStaffMember: {
    out: (call) => withMembers(call, { CompanyKey: call.companyKey }),
    change: { status: (call) => (membersOf(call.body).UpdateIfExisting === true ? 200 : 201), find: findPerson },
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

/** The vendor keeps no versions: a condition on one would be passed over, and what is in doubt is read anew. */
function withoutVersions(call: StaffCall): StaffCall {
  const { 'If-Match': condition, 'If-None-Match': _, ...headers } = call.headers;
  if (condition !== undefined) throw missing('The upstream keeps no versions of people: leave If-Match out.');
  return { ...call, headers };
}

/**
 * The vendor takes any identifier of a person for the key, and a manager by StaffId alone. What has not the form of the
 * vendor's keys is looked up first, so that nobody is met by an e-mail address or a number; and whom a change could
 * reach in another company of the account.
 */
async function identify(
  call: StaffCall,
  { isWithoutCompany }: OperationForm,
  exchange: Exchange,
): Promise<StaffCall | 'token_refused'> {
  const { staff_key } = call.path;
  if (staff_key !== undefined && (isWithoutCompany || !isGuid(staff_key))) {
    const known = await lookUp(staff_key, call, exchange);
    if (known === 'token_refused') return known;
    if (known === undefined) throw unknownPerson(staff_key);
  }
  const { ManagerKey } = membersOf(call.body);
  if (call.operation.operationId !== 'setStaffManager' || typeof ManagerKey !== 'string') return call;
  const manager = await lookUp(ManagerKey, call, exchange);
  if (manager === 'token_refused') return manager;
  if (manager === undefined) {
    const detail = 'There is nobody with this key in your company.';
    throw new Problem('validation_failed', detail, { errors: [{ detail, pointer: '/ManagerKey' }] });
  }
  return { ...call, body: { ManagerId: manager.StaffId } };
}

async function lookUp(
  staff_key: string,
  call: StaffCall,
  exchange: Exchange,
): Promise<Members | undefined | 'token_refused'> {
  const answer = await exchange.ask(readPerson({ ...call, path: { staff_key } }));
  if (answer === 'token_refused') return answer;
  if (answer.status === 404) return void discard(answer);
  const found = membersOf(await exchange.read(answer));
  return isSameKey(found.StaffKey, staff_key) ? found : undefined;
}

/** What the contract answers to a change that the vendor made, asked for if the vendor did not tell it. */
async function readChange(
  first: UpstreamResponse,
  call: StaffCall,
  { find, add, lookAgain }: ChangeForm,
  exchange: Exchange,
): Promise<unknown> {
  let answer: UpstreamResponse | 'token_refused' = first;
  if (answer.status === 404 && add !== undefined) {
    discard(answer);
    answer = await exchange.ask(add(call));
    if (answer === 'token_refused') return answer;
  }
  const found = find(await exchange.read(answer), call);
  if (found !== undefined) return found;
  // From here on the change is made: nothing may have it sent again.
  const again = lookAgain === undefined ? undefined : await askAgain(lookAgain(call), exchange).catch(() => undefined);
  const seen = again === undefined ? undefined : find(again, call);
  if (seen !== undefined) return seen;
  throw new Problem(
    'upstream_failed',
    'The upstream took the change and did not say what became of it. Read it first.',
  );
}

async function askAgain(call: StaffCall, exchange: Exchange): Promise<unknown> {
  const answer = await exchange.ask(call);
  return answer === 'token_refused' ? undefined : exchange.read(answer);
}

/** Whom the vendor answered with; a key of the form of a GUID may be some other identifier of somebody, too. */
function ofThisPerson(value: unknown, { path: { staff_key = '' } }: StaffCall): Members {
  if (value === null) throw unknownPerson(staff_key);
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Problem('upstream_failed', 'The upstream answered 200 with something else than a person.');
  }
  const { StaffKey } = membersOf(value);
  if (StaffKey !== undefined && !isSameKey(StaffKey, staff_key)) throw unknownPerson(staff_key);
  return membersOf(value);
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** The objects of an array, or the one object that there is. */
function entriesOf(told: unknown): readonly Members[] {
  return (Array.isArray(told) ? told : [told]).filter((entry) => typeof entry === 'object' && entry !== null);
}

function findPerson(told: unknown): unknown {
  return entriesOf(told).find(({ StaffKey }) => StaffKey !== undefined);
}

/** Where the vendor answers with the whole person, one collection of it. */
function collectionOf(told: unknown, name: string): unknown {
  return findPerson(told) === undefined ? told : membersOf(told)[name];
}

function findEntry(told: unknown, name: string, key: unknown): unknown {
  return entriesOf(told).find((entry) => entry[name] !== undefined && isSameKey(entry[name], key));
}

/** A skill may come without the key of its task, when it is the only one. */
function findSkill(told: unknown, key: unknown): unknown {
  const skills = collectionOf(told, 'Skillset');
  const isTheOne = ({ TaskKey, TaskName }: Members) => TaskKey === undefined && TaskName !== undefined;
  return findEntry(skills, 'TaskKey', key) ?? (Array.isArray(skills) ? undefined : entriesOf(skills).find(isTheOne));
}

/** The vendor's keys are GUIDs, whose letters may be of either case, or numbers. */
function isSameKey(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function isGuid(key: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(key);
}

/** The numbers of badges stand beside the badges themselves. */
function withBadges(value: unknown): unknown {
  const { BadgeIds, Badges } = membersOf(value);
  if (!Array.isArray(BadgeIds)) return value;
  const badges = Array.isArray(Badges)
    ? Badges
    : BadgeIds.map((badge: unknown) => (typeof badge === 'string' ? { BadgeId: badge, BadgeGroup: null } : badge));
  return { ...membersOf(value), BadgeIds: badges };
}

/** The vendor knows tags by their names alone. */
function byName(call: StaffCall): StaffCall {
  if (membersOf(call.body).TagKey === undefined) return call;
  throw missing('The upstream knows tags by their names: name the category and the tag instead of TagKey.');
}

function as(method: HttpMethod, path: string, call: StaffCall): StaffCall {
  return { ...call, operation: { ...call.operation, method, path } };
}

/** The query goes on as the caller wrote it, with these after it. */
function withQuery(call: StaffCall, added: Readonly<Record<string, string>>): StaffCall {
  const pairs = Object.entries(added).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { ...call, query: [call.query, ...pairs].filter((part) => part !== '').join('&') };
}

function withMembers(call: StaffCall, added: Members): StaffCall {
  return { ...call, body: { ...membersOf(call.body), ...added } };
}

/** Asks for the person of a call, as its company has it. */
function readPerson(call: StaffCall, includes?: string): StaffCall {
  const query = { CompanyKey: call.companyKey, ...(includes !== undefined && { includes }) };
  return withQuery(readOf(call, person), query);
}

function readList(call: StaffCall, path: string): StaffCall {
  return withQuery(readOf(call, path), { companyKey: call.companyKey });
}

function readOf(call: StaffCall, path: string): StaffCall {
  return as('get', path, { ...call, query: '', body: undefined, headers: {}, accept: undefined });
}

function jsonReply(status: number, value: unknown): RawReply {
  return { status, raw: JSON.stringify(value), contentType: 'application/json' };
}

function missing(detail: string): Problem {
  return new Problem('not_implemented', detail);
}

function unknownPerson(key: string): Problem {
  return new Problem('not_found', `There is no person with the key ${JSON.stringify(key)} here. Check the key.`);
}
