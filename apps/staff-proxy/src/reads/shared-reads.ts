import { Readable } from 'node:stream';
import { fillBuffer } from '@rostergate/runtime/cache';
import type { CallSignal, RawReply, ReplyHeaders } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { callerGone } from '@rostergate/runtime/upstream';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import type { BegunRead, CompanyChanges, WriteEnd } from './company-changes.ts';
import { createOwnTag, isOwnTag, type NamedTags, namesTag, noTags, splitTags } from './entity-tags.ts';
import { Flight, type TakeReply } from './flight.ts';
import type { KeptAnswer, KeptAnswers } from './kept-answers.ts';
import { readKeyOf } from './read-key.ts';
import type { ReadOutcome } from './read-metrics.ts';
import { restOfAnswer } from './rest-of-answer.ts';
import { SharedStream } from './shared-stream.ts';

export interface SharedReadsOptions {
  /** Name of the service account whose reads these are. */
  readonly account: string;
  /** The writes of all accounts. */
  readonly changes: CompanyChanges;
  /** What is kept of the reads of all accounts; undefined when nothing is. */
  readonly kept: KeptAnswers | undefined;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  readonly onRead?: ((outcome: ReadOutcome) => void) | undefined;
}

/**
 * Makes identical reads of one account that are in flight once, for all who ask; large answers stream to all of them.
 * Where answers are kept they are given again, with their age and a tag, until something is written.
 */
export function withSharedReads(send: SendCall, options: SharedReadsOptions): SendCall {
  const { account, changes, kept, clock, onRead } = options;
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
          takeArriving(wanted, begun, { ...reply, raw }, leader, onClosed).then(land, fail);
          return;
        }
        onClosed();
        const whole = keep(wanted, begun, reply, raw);
        land(() => whole);
      } catch (fault) {
        fail(fault);
      }
    }, fail);
  }

  /** What there is to take of an answer that is still on its way. */
  async function takeArriving(
    wanted: WantedRead,
    begun: BegunRead,
    reply: StreamReply,
    leader: Caller,
    onClosed: () => void,
  ): Promise<TakeReply> {
    if (leader.signal.aborted) {
      reply.raw.destroy();
      throw callerGone(true);
    }
    const arrived = kept && (await fillSoon(reply.raw));
    if (arrived === undefined) return stream(wanted, begun, reply, leader, onClosed);
    onClosed();
    const whole = keep(wanted, begun, reply, arrived);
    return () => whole;
  }

  function stream(
    wanted: WantedRead,
    begun: BegunRead,
    reply: StreamReply,
    leader: Caller,
    onSealed: () => void,
  ): TakeReply {
    const collection = reply.status === 200 ? kept?.collect() : undefined;
    const shared = new SharedStream({
      source: reply.raw,
      joinBytesMax,
      lagBytesMax,
      patienceMs,
      clock,
      onSealed,
      onChunk: collection?.add,
      onOver(isWhole) {
        const bytes = isWhole ? collection?.finish() : undefined;
        collection?.drop();
        if (bytes !== undefined) keep(wanted, begun, reply, bytes);
      },
      async resume(soFar, signal) {
        onRead?.('resumed');
        const again = await send(wanted.call, new Leader(leader, signal));
        return restOfAnswer(reply, again, soFar);
      },
    });
    return () => {
      const raw = shared.open();
      return raw && { ...reply, raw };
    };
  }

  /** The answer as it is given to who asked for it; kept for others where it holds for them. */
  function keep(wanted: WantedRead, begun: BegunRead, reply: RawReply, raw: string | Uint8Array): RawReply {
    if (kept === undefined || reply.status !== 200) return raw === reply.raw ? reply : { ...reply, raw };
    const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const { 'Content-Length': _, ...said } = reply.headers ?? {};
    const etag = String(said.ETag ?? createOwnTag(bytes));
    const whole = { ...reply, raw: bytes, headers: { ...said, ETag: etag }, isKept: true };
    if (changes.isSettled(account, wanted.call.companyKey, begun)) {
      kept.set(wanted.key, { ...begun, reply: whole, etag, isTagProven: isOwnTag(etag) });
    }
    return whole;
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

/** Who comes while no more than this has come of an answer shares it. */
const joinBytesMax = 256 * 1024;
/** What one flight holds at most for a slow reader, and how long the others wait for it in all. */
const lagBytesMax = 1024 * 1024;
const patienceMs = 1_000;
/** An answer that is kept has its tag at once when it is this short and comes this soon; a longer one the next time. */
const soonBytesMax = 1024 * 1024;
const soonMs = 250;

/** A read as it goes out. */
interface WantedRead {
  readonly key: string;
  readonly stamp: number;
  readonly call: StaffCall;
}

interface LedFlight {
  /** Undefined once nobody may join it. */
  flight: Flight | undefined;
  readonly stamp: number;
  /** Of the key that it was begun with. */
  readonly owner: string | undefined;
}

type StreamReply = RawReply & { readonly raw: Readable };

/** One key's answer must come to nobody else from a cache in between, and a copy is good only when asked about. */
const forCallersAlone: ReplyHeaders = Object.freeze({
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Authorization, Prefer, X-API-Key',
});

function withCondition(call: StaffCall, { others }: NamedTags): StaffCall {
  const { 'If-None-Match': condition, ...headers } = call.headers;
  if (condition === others) return call;
  return { ...call, headers: others === undefined ? headers : { ...headers, 'If-None-Match': others } };
}

/** Undefined when only the upstream can tell whether the caller's copy is this one. */
function giveKept(answer: KeptAnswer, condition: string | undefined, nowMs: number): RawReply | undefined {
  const { reply, etag, isTagProven, startedMs } = answer;
  const headers = { ...reply.headers, Age: String(Math.max(0, Math.floor((nowMs - startedMs) / 1_000))) };
  if (condition === undefined || !namesTag(condition, etag)) return { ...reply, headers };
  return isTagProven ? notModified({ ...reply, headers }) : undefined;
}

function namesOwn({ own }: NamedTags, { headers }: RawReply): boolean {
  return own.length > 0 && own.includes(String(headers?.ETag));
}

/** RFC 9110 §15.4.5. */
function notModified({ contentType, headers }: RawReply): RawReply {
  return { status: 304, raw: '', contentType, headers: headers ?? {} };
}

/** The whole of an answer that is short and comes soon; else undefined, and nothing has been read of it. */
async function fillSoon(raw: Readable): Promise<Buffer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, soonMs);
  try {
    return await fillBuffer(raw, soonBytesMax, late);
  } finally {
    clearTimeout(timer);
  }
}

/** The upstream has refused it, so that nothing has changed. */
function isAnswered(error: unknown): boolean {
  return error instanceof Problem && error.status < 500;
}

/** Turned away on this side of the upstream, or by its limit. */
function wasNotSent(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable';
}

/** Whoever asked first, as one who waits as long as anybody does. */
class Leader implements Caller {
  readonly signal: CallSignal;
  readonly #caller: Caller;

  constructor(caller: Caller, signal: CallSignal) {
    this.#caller = caller;
    this.signal = signal;
  }

  get requestId() {
    return this.#caller.requestId;
  }

  get principal() {
    return this.#caller.principal ?? null;
  }

  get trace() {
    return this.#caller.trace;
  }
}
