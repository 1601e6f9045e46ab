import { Readable } from 'node:stream';
import { CallController, type CallSignal, type RawReply, type ReplyHeaders } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { requestCancelled, responseTooLate } from '@rostergate/upstream';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import {
  createOwnTag,
  isOwnTag,
  namesOwn,
  namesTag,
  noTags,
  notModified,
  splitTags,
  withCondition,
} from './entity-tags.ts';
import { type BegunRead, type CompanyChanges, type ReadOutcome, wasNotSent } from './read-state.ts';
import { shareStream, type TakeReply } from './shared-replies.ts';
import { replyFromStored, type StoredReplies, type StoredReply } from './stored-replies.ts';

export interface SharedReadsOptions {
  /** Name of the service account. */
  readonly account: string;
  /** The writes of all accounts. */
  readonly changes: CompanyChanges;
  /** The responses of all accounts; undefined when none are stored. */
  readonly stored: StoredReplies | undefined;
  /** How long a caller waits for the response to begin. */
  readonly timeoutMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly onRead?: ((outcome: ReadOutcome) => void) | undefined;
}

/** A read to send to the upstream. */
interface ReadRequest {
  readonly key: string;
  readonly stamp: number;
  readonly call: StaffCall;
}

/**
 * Coalesces identical concurrent reads of one account into one upstream request; long responses stream to all callers.
 * With a store, responses are reused with their age and a tag until a write.
 */
export function withSharedReads(send: SendCall, options: SharedReadsOptions): SendCall {
  const { account, changes, stored, timeoutMs, clock, onRead } = options;
  const inFlight = new Map<string, ReadInFlight>();

  function read(call: StaffCall, caller: Caller): Promise<RawReply> {
    const key = readKeyOf(account, call);
    const stamp = changes.stampOf(account, call.companyKey);
    if (stored === undefined) return share({ key, stamp, call }, caller);
    const condition = call.headers['If-None-Match'];
    // `fetch` adds no-cache to every conditional request, so there it is not the caller's wish.
    const isToBeFresh = call.isToBeFresh === true && condition === undefined;
    const found = isToBeFresh ? undefined : stored.get(key, stamp);
    const reply = found && replyFromStored(found, condition, clock());
    if (reply === undefined) return readFromUpstream({ key, stamp, call }, caller, found);
    onRead?.('kept');
    return Promise.resolve(reply);
  }

  /** For a response that is not stored, or whose tag only the upstream can compare. */
  async function readFromUpstream(
    request: ReadRequest,
    caller: Caller,
    found: StoredReply | undefined,
  ): Promise<RawReply> {
    const { key, stamp, call } = request;
    const condition = call.headers['If-None-Match'];
    const named = condition === undefined ? noTags : splitTags(condition);
    const reply = await share({ key, stamp, call: withCondition(call, named) }, caller);
    if (reply.status === 304) {
      if (found !== undefined && namesTag(found.etag, String(reply.headers?.ETag))) found.isTagProven = true;
      return reply;
    }
    if (!namesOwn(named, reply)) return reply;
    // A proxy before this one may have tagged a response that is still arriving.
    if (reply.raw instanceof Readable) reply.raw.destroy();
    return notModified(reply);
  }

  /** Joins an identical read in flight, or starts one. */
  function share(request: ReadRequest, caller: Caller): Promise<RawReply> {
    const condition = request.call.headers['If-None-Match'];
    const name = condition === undefined ? request.key : `${request.key} ${condition}`;
    const known = inFlight.get(name);
    // A request after a write must see it: a read from before the write is not identical.
    return known?.stamp === request.stamp ? follow(name, known, request, caller) : lead(name, request, caller);
  }

  async function follow(name: string, known: ReadInFlight, request: ReadRequest, caller: Caller): Promise<RawReply> {
    onRead?.('shared');
    const deadlineMs = clock() + timeoutMs;
    try {
      const reply = await known.pending?.join(caller);
      if (reply !== undefined) return reply;
    } catch (error) {
      if (caller.signal.aborted) throw error;
      // This caller may have joined later, and the queue limits of the first caller's owner do not apply to other owners.
      const isOfFirst = isTimeout(error) || (known.owner !== caller.principal?.owner && wasNotSent(error));
      if (!isOfFirst || clock() >= deadlineMs) throw error;
    }
    return joinUntil(deadlineMs, name, request, caller);
  }

  async function joinOrLead(name: string, request: ReadRequest, caller: Caller): Promise<RawReply> {
    const next = inFlight.get(name);
    const reply = next?.stamp === request.stamp ? await next.pending?.join(caller) : undefined;
    return reply ?? lead(name, request, caller);
  }

  async function joinUntil(deadlineMs: number, name: string, request: ReadRequest, caller: Caller): Promise<RawReply> {
    const own = new CallController();
    const leave = () => own.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      leave();
    }, deadlineMs - clock());
    caller.signal.addEventListener('abort', leave);
    try {
      return await joinOrLead(name, request, sharedCaller(caller, own));
    } catch (error) {
      throw isLate ? responseTooLate(true) : error;
    } finally {
      clearTimeout(timer);
      caller.signal.removeEventListener('abort', leave);
    }
  }

  function lead(name: string, request: ReadRequest, caller: Caller): Promise<RawReply> {
    if (caller.signal.aborted) return Promise.reject(requestCancelled(false));
    const entry: ReadInFlight = { pending: undefined, stamp: request.stamp, owner: caller.principal?.owner };
    let isOver = false;
    const forget = () => {
      isOver = true;
      // A Map that has grown retains deleted entries for a while: drop the large part at once.
      entry.pending = undefined;
      if (inFlight.get(name) === entry) inFlight.delete(name);
    };
    const pending = new PendingRead(forget);
    ask(request, sharedCaller(caller, pending.signal), pending, forget);
    if (!isOver) {
      entry.pending = pending;
      inFlight.set(name, entry);
    }
    onRead?.('sent');
    // The first caller is always in time for the reply.
    return pending.join(caller) as Promise<RawReply>;
  }

  /** `onClosed`: no caller may join any more. */
  function ask(request: ReadRequest, caller: Caller, pending: PendingRead, onClosed: () => void): void {
    // The start is used by the store alone.
    const begun = { stamp: request.stamp, startedMs: stored === undefined ? 0 : clock() };
    const fail = (fault: unknown) => {
      onClosed();
      pending.settle({ fault });
    };
    const settle = (take: TakeReply) => pending.settle({ take });
    send(request.call, caller).then((sent) => {
      try {
        const reply = { ...sent, headers: { ...sent.headers, ...privateHeaders } };
        const { raw } = reply;
        if (raw instanceof Readable) {
          shareStream({
            reply: { ...reply, raw },
            signal: caller.signal,
            stored,
            clock,
            onClosed,
            store: (bytes) => store(request, begun, reply, bytes),
            sendAgain(signal) {
              onRead?.('resumed');
              return send(request.call, sharedCaller(caller, signal));
            },
          }).then(settle, fail);
          return;
        }
        onClosed();
        const whole = store(request, begun, reply, raw);
        settle(() => whole);
      } catch (fault) {
        fail(fault);
      }
    }, fail);
  }

  /** Returns the reply for callers, and stores it where others may use it. */
  function store(request: ReadRequest, begun: BegunRead, reply: RawReply, raw: string | Uint8Array): RawReply {
    if (stored === undefined || reply.status !== 200) return raw === reply.raw ? reply : { ...reply, raw };
    const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const { 'Content-Length': _, ...headers } = reply.headers ?? {};
    const etag = String(headers.ETag ?? createOwnTag(bytes));
    const whole = { ...reply, raw: bytes, headers: { ...headers, ETag: etag }, isRepeated: true };
    if (changes.isSettled(account, request.call.companyKey, begun)) {
      stored.set(request.key, { ...begun, reply: whole, etag, isTagProven: isOwnTag(etag) });
    }
    return whole;
  }

  return (call, caller) =>
    call.operation.method === 'get'
      ? read(call, caller)
      : changes.during(account, call.companyKey, () => send(call, caller));
}

function isTimeout(error: unknown): boolean {
  return error instanceof Problem && error.code === 'upstream_timeout';
}

interface ReadInFlight {
  /** Undefined once no caller may join. */
  pending: PendingRead | undefined;
  readonly stamp: number;
  /** Owner of the first caller's key. */
  readonly owner: string | undefined;
}

/**
 * Returns all that the response to a read depends on as one text, the service account first. Without the condition,
 * which decides whether the response is sent, not what it is.
 */
export function readKeyOf(account: string, call: StaffCall): string {
  const { operation, path, query, companyKey, headers, accept } = call;
  let key =
    part(account) + operation.operationId + part(companyKey) + part(query) + (accept === undefined ? '' : part(accept));
  for (const name in path) key += `/${part(path[name] as string)}`;
  for (const name in headers) if (name !== 'If-None-Match') key += `${name}:${part(headers[name] as string)}`;
  return call.keepsUnknownMembers === true ? `${key}*` : key;
}

/** The length in front makes the concatenation unambiguous. */
function part(text: string): string {
  return `${text.length} ${text}`;
}

/** Shared caches must not store a key's response, and private ones must revalidate it. */
const privateHeaders: ReplyHeaders = Object.freeze({
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Authorization, Prefer, X-API-Key',
});

/** One read in flight and all callers that wait for it. It lasts as long as any of them waits. */
class PendingRead {
  readonly #abort = new CallController();
  readonly #onAbandoned: () => void;
  #waiters: WaitingCaller[] = none;
  #outcome: Outcome | undefined;

  /** @param onAbandoned called when no caller waits any more; later callers need a new read */
  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
  }

  /** Aborts when no caller waits any more. */
  get signal(): CallSignal {
    return this.#abort;
  }

  /** Resolves with the reply once it has begun; with undefined when it can no longer be joined. */
  join({ signal }: Pick<Caller, 'signal'>): Promise<RawReply | undefined> {
    if (signal.aborted) return Promise.reject(requestCancelled(false));
    return new Promise((resolve, reject) => {
      const waiter = new WaitingCaller(this, signal, resolve, reject);
      if (this.#outcome !== undefined) waiter.settle(this.#outcome);
      else if (this.#waiters.length === 0) this.#waiters = [waiter];
      else this.#waiters.push(waiter);
    });
  }

  /** Ends the wait of all callers. Called once. */
  settle(outcome: Outcome): void {
    this.#outcome = outcome;
    const waiters = this.#waiters;
    this.#waiters = none;
    for (let i = 0; i < waiters.length; i++) (waiters[i] as WaitingCaller).settle(outcome);
  }

  leave(waiter: WaitingCaller): void {
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    if (this.#waiters.length > 0 || this.#outcome !== undefined) return;
    this.#onAbandoned();
    this.#abort.abort();
  }
}

type Outcome = { readonly take: TakeReply } | { readonly fault: unknown };

class WaitingCaller {
  readonly #read: PendingRead;
  readonly #signal: CallSignal;
  readonly #resolve: (reply: RawReply | undefined) => void;
  readonly #reject: (fault: unknown) => void;

  constructor(
    read: PendingRead,
    signal: CallSignal,
    resolve: (reply: RawReply | undefined) => void,
    reject: (fault: unknown) => void,
  ) {
    this.#read = read;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#leave);
  }

  settle(outcome: Outcome): void {
    this.#signal.removeEventListener('abort', this.#leave);
    if ('fault' in outcome) this.#reject(outcome.fault);
    else this.#resolve(outcome.take());
  }

  readonly #leave = (): void => {
    this.#reject(requestCancelled(true));
    this.#read.leave(this);
  };
}

const none: WaitingCaller[] = [];

/** Returns the first caller of a shared read, with a signal that lasts as long as any caller waits. */
function sharedCaller({ requestId, via, principal = null, trace }: Caller, signal: CallSignal): Caller {
  return { requestId, via, principal, trace, signal };
}
