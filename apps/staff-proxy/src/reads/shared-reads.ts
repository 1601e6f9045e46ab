import { Readable } from 'node:stream';
import type { RawReply, ReplyHeaders } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { callerGone } from '@rostergate/runtime/upstream';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import { UpstreamUnavailable } from '../upstream/upstream-problem.ts';
import type { WriteEnd } from './company-changes.ts';
import { giveKept, namesOwn, notModified, withCondition } from './conditional-reply.ts';
import { namesTag, noTags, splitTags } from './entity-tags.ts';
import { Flight, type TakeReply } from './pending-read.ts';
import type { KeptAnswer } from './stored-replies.ts';
import { Leader } from './leader.ts';
import { readKeyOf } from './read-key.ts';
import { createTakenAnswers, type TakenAnswersOptions, type WantedRead } from './shared-replies.ts';

/**
 * Makes identical reads of one account that are in flight once, for all who ask; large answers stream to all of them.
 * Where answers are kept they are given again, with their age and a tag, until something is written.
 */
export function withSharedReads(send: SendCall, options: TakenAnswersOptions): SendCall {
  const { account, changes, kept, clock, onRead } = options;
  const answers = createTakenAnswers(send, options);
  const flights = new Map<string, LedFlight>();

  function read(call: StaffCall, caller: Caller): Promise<RawReply> {
    const key = readKeyOf(account, call);
    const stamp = changes.stampOf(account, call.companyKey);
    // What comes is what is given.
    if (kept === undefined) return share({ key, stamp, call }, caller);
    const condition = call.headers['If-None-Match'];
    // Every `fetch` adds the wish for a fresh answer to a condition, where it says nothing of what the caller wants.
    const isToBeFresh = call.isToBeFresh === true && condition === undefined;
    const found = isToBeFresh ? undefined : kept.get(key, stamp);
    const reply = found && giveKept(found, condition, clock());
    if (reply === undefined) return readAnew({ key, stamp, call }, caller, found);
    onRead?.('kept');
    return Promise.resolve(reply);
  }

  /** Where answers are kept, but not this one, or only the upstream can tell what it is to who asks. */
  async function readAnew(wanted: WantedRead, caller: Caller, found: KeptAnswer | undefined): Promise<RawReply> {
    const { key, stamp, call } = wanted;
    const condition = call.headers['If-None-Match'];
    const named = condition === undefined ? noTags : splitTags(condition);
    const reply = await share({ key, stamp, call: withCondition(call, named) }, caller);
    if (reply.status === 304) {
      if (found !== undefined && namesTag(found.etag, String(reply.headers?.ETag))) found.isTagProven = true;
      return reply;
    }
    return namesOwn(named, reply) ? notModified(reply) : reply;
  }

  /** The answer of a flight that goes already, or of a new one. */
  function share(wanted: WantedRead, caller: Caller): Promise<RawReply> {
    const condition = wanted.call.headers['If-None-Match'];
    const name = condition === undefined ? wanted.key : `${wanted.key} ${condition}`;
    const known = flights.get(name);
    // Who asks after a write is to see it: what was asked for before is not the same any more.
    return known?.stamp === wanted.stamp ? follow(name, known, wanted, caller) : lead(name, wanted, caller);
  }

  async function follow(name: string, known: LedFlight, wanted: WantedRead, caller: Caller): Promise<RawReply> {
    onRead?.('shared');
    try {
      const reply = await known.flight?.join(caller);
      if (reply !== undefined) return reply;
    } catch (error) {
      // That there was no place for the one who led says nothing of others.
      const isOthers = known.owner !== caller.principal?.owner && wasNotSent(error);
      if (!isOthers || caller.signal.aborted) throw error;
    }
    const next = flights.get(name);
    const reply = next?.stamp === wanted.stamp ? await next.flight?.join(caller) : undefined;
    return reply ?? lead(name, wanted, caller);
  }

  function lead(name: string, wanted: WantedRead, caller: Caller): Promise<RawReply> {
    if (caller.signal.aborted) return Promise.reject(callerGone(false));
    const led: LedFlight = { flight: undefined, stamp: wanted.stamp, owner: caller.principal?.owner };
    let isOver = false;
    const forget = () => {
      isOver = true;
      // A map lives on in parts after it has grown: what they still hold would outlive its request by far.
      led.flight = undefined;
      if (flights.get(name) === led) flights.delete(name);
    };
    const flight = new Flight(forget);
    ask(wanted, new Leader(caller, flight.signal), flight, forget);
    if (!isOver) {
      led.flight = flight;
      flights.set(name, led);
    }
    onRead?.('sent');
    // Whoever asks first is there when the answer begins.
    return flight.join(caller) as Promise<RawReply>;
  }

  /** `onClosed`: nobody may join any more. */
  function ask(wanted: WantedRead, leader: Caller, flight: Flight, onClosed: () => void): void {
    // Asked only of what is kept.
    const begun = { stamp: wanted.stamp, startedMs: kept === undefined ? 0 : clock() };
    const fail = (fault: unknown) => {
      onClosed();
      flight.land({ fault });
    };
    const land = (take: TakeReply) => flight.land({ take });
    send(wanted.call, leader).then((sent) => {
      try {
        const reply = { ...sent, headers: { ...sent.headers, ...forCallersAlone } };
        const { raw } = reply;
        if (raw instanceof Readable) {
          answers.takeArriving(wanted, begun, { ...reply, raw }, leader, onClosed).then(land, fail);
          return;
        }
        onClosed();
        const whole = answers.keep(wanted, begun, reply, raw);
        land(() => whole);
      } catch (fault) {
        fail(fault);
      }
    }, fail);
  }

  async function write(call: StaffCall, caller: Caller): Promise<RawReply> {
    const end = changes.begin(account, call.companyKey);
    let outcome: WriteEnd = 'lost';
    try {
      const reply = await send(call, caller);
      outcome = 'answered';
      return reply;
    } catch (error) {
      if (isAnswered(error) || wasNotSent(error)) outcome = 'answered';
      throw error;
    } finally {
      end(outcome);
    }
  }

  return (call, caller) => (call.operation.method === 'get' ? read(call, caller) : write(call, caller));
}

interface LedFlight {
  /** Undefined once nobody may join it. */
  flight: Flight | undefined;
  readonly stamp: number;
  /** Of the key that it was begun with. */
  readonly owner: string | undefined;
}

/** One key's answer must come to nobody else from a cache in between, and a copy is good only when asked about. */
const forCallersAlone: ReplyHeaders = Object.freeze({
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Authorization, Prefer, X-API-Key',
});

/** The upstream has refused it, so that nothing has changed. */
function isAnswered(error: unknown): boolean {
  return error instanceof Problem && error.status < 500;
}

/** Turned away on this side of the upstream, or by its limit. */
function wasNotSent(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable' && !(error instanceof UpstreamUnavailable);
}
