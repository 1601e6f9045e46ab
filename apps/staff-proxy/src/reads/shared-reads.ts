import { Readable } from 'node:stream';
import type { RawReply, ReplyHeaders } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { requestCancelled } from '@rostergate/upstream';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import { UpstreamUnavailable } from '../upstream/upstream-problem.ts';
import type { WriteEnd } from './company-changes.ts';
import { namesOwn, namesTag, noTags, notModified, splitTags, withCondition } from './entity-tags.ts';
import { PendingRead, SharedCaller, type TakeReply } from './pending-read.ts';
import { createSharedReplies, type ReadRequest, type SharedRepliesOptions } from './shared-replies.ts';
import { replyFromStored, type StoredReply } from './stored-replies.ts';

/**
 * Coalesces identical concurrent reads of one account into one upstream request; long responses stream to all callers.
 * With a store, responses are reused with their age and a tag until a write.
 */
export function withSharedReads(send: SendCall, options: SharedRepliesOptions): SendCall {
  const { account, changes, stored, clock, onRead } = options;
  const replies = createSharedReplies(send, options);
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
    return namesOwn(named, reply) ? notModified(reply) : reply;
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
    try {
      const reply = await known.pending?.join(caller);
      if (reply !== undefined) return reply;
    } catch (error) {
      // The queue limits of the first caller's owner do not apply to other owners.
      const isOthers = known.owner !== caller.principal?.owner && wasNotSent(error);
      if (!isOthers || caller.signal.aborted) throw error;
    }
    const next = inFlight.get(name);
    const reply = next?.stamp === request.stamp ? await next.pending?.join(caller) : undefined;
    return reply ?? lead(name, request, caller);
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
    ask(request, new SharedCaller(caller, pending.signal), pending, forget);
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
          replies.shareStream(request, begun, { ...reply, raw }, caller, onClosed).then(settle, fail);
          return;
        }
        onClosed();
        const whole = replies.store(request, begun, reply, raw);
        settle(() => whole);
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
      if (isRejection(error) || wasNotSent(error)) outcome = 'answered';
      throw error;
    } finally {
      end(outcome);
    }
  }

  return (call, caller) => (call.operation.method === 'get' ? read(call, caller) : write(call, caller));
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
  return key;
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

/** The upstream rejected the write, so nothing has changed. */
function isRejection(error: unknown): boolean {
  return error instanceof Problem && error.status < 500;
}

/** Rejected by this proxy's gate or by the upstream's limit. */
function wasNotSent(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable' && !(error instanceof UpstreamUnavailable);
}
