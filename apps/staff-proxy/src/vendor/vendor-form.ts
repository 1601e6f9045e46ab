import type { OpenApiDocument, RawReply } from '@rostergate/runtime/contract';
import { type Fault, Problem } from '@rostergate/runtime/problem';
import { discard, type UpstreamResponse } from '@rostergate/runtime/upstream';
import type { StaffCall } from '../staff-call.ts';
import type { Exchange, UpstreamForm } from '../upstream/upstream-form.ts';
import { type AnswerShape, createAnswerShapes } from './answer-shapes.ts';
import { identify, ofThisPerson } from './identify-person.ts';
import { type ChangeForm, missing, type OperationForm, operationForms } from './operation-forms.ts';
import { rewriteList } from './rewrite-list.ts';
import { membersOf } from './vendor-members.ts';

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
  const shapes = createAnswerShapes(document, Object.keys(operationForms));

  async function sendAs(
    form: OperationForm,
    given: StaffCall,
    exchange: Exchange,
  ): Promise<RawReply | 'token_refused'> {
    const { operationId } = given.operation;
    const { isList, shape } = shapes.get(operationId) as AnswerShape;
    const fit = (value: unknown) => shape(withBadges(value));
    const call = await identify(withoutVersions(given), form, exchange);
    if (call === 'token_refused') return call;
    const first = form.change?.lookFirst?.(call);
    const before = first === undefined ? undefined : await lookUp(first, exchange);
    if (before === 'token_refused') return before;
    const answer = await exchange.ask(form.out(call));
    if (answer === 'token_refused') return answer;
    if (form.change === undefined) {
      if (isList)
        return exchange.inTime(answer, async () => rewriteList(await exchange.relay(answer, call), call, fit));
      return jsonReply(200, fit(ofThisPerson(await exchange.read(answer), call)));
    }
    const made = await readChange(answer, call, form.change, exchange);
    if (made === 'token_refused') return made;
    const status = form.change.status(call, made, before);
    const reply = jsonReply(status, fit(made));
    if (operationId !== 'createStaffMember' || status !== 201) return reply;
    const key = encodeURIComponent(String(membersOf(made).StaffKey));
    return { ...reply, headers: { Location: `${ownBase}/staffmember/${key}` } };
  }

  return {
    async send(call, exchange) {
      const form = operationForms[call.operation.operationId];
      if (form === undefined) throw missing('The upstream does not have this operation.');
      try {
        return await sendAs(form, call, exchange);
      } catch (error) {
        throw refusesTheForm(error) ? wrongForm(error) : error;
      }
    },
  };
}

/** The company is added here, and callers are held to the contract: who refuses it by name speaks the contract too. */
function refusesTheForm(error: unknown): error is Problem {
  return error instanceof Problem && error.status === 400 && error.errors.some(namesCompany);
}

function namesCompany({ parameter, pointer = '' }: Fault): boolean {
  return (parameter ?? pointer.slice(1)).toLowerCase() === 'companykey';
}

function wrongForm(cause: Problem): Problem {
  const detail =
    'The upstream does not take what the vendor does. Tell the operator of this proxy: upstream_form is vendor, and contract is needed.';
  return new Problem('upstream_failed', detail, { cause });
}

/** The vendor keeps no versions: a condition on one would be passed over, and what is in doubt is read anew. */
function withoutVersions(call: StaffCall): StaffCall {
  const { 'If-Match': condition, 'If-None-Match': _, ...headers } = call.headers;
  if (condition !== undefined) throw missing('The upstream keeps no versions of people: leave If-Match out.');
  return { ...call, headers };
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

/** A list that has to be there before anything is changed. */
async function lookUp(call: StaffCall, exchange: Exchange): Promise<unknown> {
  const answer = await exchange.ask(call);
  if (answer === 'token_refused') return answer;
  const people = await exchange.read(answer);
  if (Array.isArray(people)) return people;
  throw new Problem('upstream_failed', 'The upstream answered with no list of people. Nothing was changed. Try again.');
}

async function askAgain(call: StaffCall, exchange: Exchange): Promise<unknown> {
  const answer = await exchange.ask(call);
  return answer === 'token_refused' ? undefined : exchange.read(answer);
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

function jsonReply(status: number, value: unknown): RawReply {
  return { status, raw: JSON.stringify(value), contentType: 'application/json' };
}
