import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { type Fault, Problem } from '@rostergate/server/problem';
import { discard, type UpstreamResponse } from '@rostergate/upstream';
import type { StaffCall } from '../staff-call.ts';
import type { Exchange, UpstreamForm } from '../upstream/staff-upstream.ts';
import { identify, ofThisPerson } from './identify-person.ts';
import { type ChangeForm, missing, type OperationForm, operationForms } from './operation-forms.ts';
import { createResponseShapes, type ResponseShape } from './response-shapes.ts';
import { rewriteList } from './rewrite-list.ts';
import { membersOf } from './vendor-calls.ts';

export interface VendorFormOptions {
  /** The contract that the vendor's responses are converted to. */
  readonly document: OpenApiDocument;
  /** Base path of the operations at this proxy. */
  readonly ownBase: string;
}

/**
 * Returns the vendor's form: converts calls to its methods, paths and bodies, adds the company, and converts its responses
 * to the contract. Callers see only the contract.
 */
export function createVendorForm({ document, ownBase }: VendorFormOptions): UpstreamForm {
  const operationIds = Object.keys(operationForms);
  const shapes = createResponseShapes(document, operationIds, 'drop');
  const keepingShapes = createResponseShapes(document, operationIds, 'keep');

  async function sendAs(
    form: OperationForm,
    given: StaffCall,
    exchange: Exchange,
  ): Promise<RawReply | 'token_rejected'> {
    const { operationId } = given.operation;
    const { isList, shape } = (given.keepsUnknownMembers === true ? keepingShapes : shapes).get(
      operationId,
    ) as ResponseShape;
    const fit = (value: unknown) => shape(withBadges(value));
    const call = await identify(withoutTracking(withoutVersions(given)), form, exchange);
    if (call === 'token_rejected') return call;
    const first = form.change?.lookFirst?.(call);
    const before = first === undefined ? undefined : await lookUp(first, exchange);
    if (before === 'token_rejected') return before;
    const response = await exchange.ask(form.out(call));
    if (response === 'token_rejected') return response;
    if (form.change === undefined) {
      if (isList)
        return exchange.inTime(response, async () => rewriteList(await exchange.relay(response, call), call, fit));
      return jsonReply(200, fit(ofThisPerson(await exchange.read(response), call)));
    }
    const changed = await readChange(response, call, form.change, exchange);
    if (changed === 'token_rejected') return changed;
    const status = form.change.status(call, changed, before);
    const reply = jsonReply(status, fit(changed));
    if (operationId !== 'createStaffMember' || status !== 201) return reply;
    const key = encodeURIComponent(String(membersOf(changed).StaffKey));
    return { ...reply, headers: { Location: `${ownBase}/staffmember/${key}` } };
  }

  return {
    async send(call, exchange) {
      const form = operationForms[call.operation.operationId];
      if (form === undefined) throw missing('The upstream does not have this operation.');
      try {
        return await sendAs(form, call, exchange);
      } catch (error) {
        throw rejectsForm(error) ? wrongForm(error) : error;
      }
    },
  };
}

/** Callers never send the company here, so an upstream that rejects it by name serves the contract. */
function rejectsForm(error: unknown): error is Problem {
  return error instanceof Problem && error.status === 400 && error.errors.some(namesCompany);
}

function namesCompany({ parameter, pointer = '' }: Fault): boolean {
  return (parameter ?? pointer.slice(1)).toLowerCase() === 'companykey';
}

function wrongForm(cause: Problem): Problem {
  const detail =
    'The upstream rejects the vendor’s form. Tell the operator of this proxy to set upstream_form to contract instead of vendor.';
  return new Problem('upstream_failed', detail, { cause });
}

/** The vendor has no versions: it would ignore If-Match, so that is rejected, and If-None-Match is dropped. */
function withoutVersions(call: StaffCall): StaffCall {
  const { 'If-Match': condition, 'If-None-Match': _, ...headers } = call.headers;
  if (condition !== undefined) throw missing('The upstream has no versions of people: leave If-Match out.');
  return { ...call, headers };
}

/** The vendor has no delta links: a list must not seem to be tracked. */
function withoutTracking(call: StaffCall): StaffCall {
  if (/(?:^|&)(?:\$|%24)deltatoken=/i.test(call.query)) {
    throw missing('The upstream has no delta links: read the list without $deltatoken.');
  }
  const { Prefer: given, ...headers } = call.headers;
  if (given === undefined) return call;
  const others = given.split(',').filter((one) => !/^\s*(?:odata\.)?track-changes\b/i.test(one));
  return { ...call, headers: others.length === 0 ? headers : { ...headers, Prefer: others.join(',') } };
}

/** Returns the contract's response to a change, read separately if the vendor's response does not contain it. */
async function readChange(
  first: UpstreamResponse,
  call: StaffCall,
  { find, add, lookAgain }: ChangeForm,
  exchange: Exchange,
): Promise<unknown> {
  let response: UpstreamResponse | 'token_rejected' = first;
  if (response.status === 404 && add !== undefined) {
    discard(response);
    response = await exchange.ask(add(call));
    if (response === 'token_rejected') return response;
  }
  const found = find(await exchange.read(response), call);
  if (found !== undefined) return found;
  // The change is made: it must not be sent again from here on.
  const again = lookAgain === undefined ? undefined : await askAgain(lookAgain(call), exchange).catch(() => undefined);
  const seen = again === undefined ? undefined : find(again, call);
  if (seen !== undefined) return seen;
  throw new Problem(
    'upstream_failed',
    'The upstream accepted the change but did not return the result. Read it before you send the change again.',
  );
}

/** Reads a list before a change. */
async function lookUp(call: StaffCall, exchange: Exchange): Promise<unknown> {
  const response = await exchange.ask(call);
  if (response === 'token_rejected') return response;
  const people = await exchange.read(response);
  if (Array.isArray(people)) return people;
  throw new Problem('upstream_failed', 'The upstream did not return a list of people. Nothing was changed. Try again.');
}

async function askAgain(call: StaffCall, exchange: Exchange): Promise<unknown> {
  const response = await exchange.ask(call);
  return response === 'token_rejected' ? undefined : exchange.read(response);
}

/** Replaces the numbers in `BadgeIds` by the badges, which the vendor sends beside them. */
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
