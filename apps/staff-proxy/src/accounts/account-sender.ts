import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { type UpstreamSession, waitUntil } from '@rostergate/upstream';
import type { Caller } from '../staff-call.ts';
import { sessionMessages } from '../upstream/login-messages.ts';
import { UpstreamLimit } from '../upstream/upstream-problem.ts';
import type { AccountGate, Slot } from './account-gate.ts';
import type { Entrant } from './fair-queue.ts';

/** What the sender reads of a call. */
interface SentCall {
  readonly operation: { readonly method: string };
}

export interface AccountSenderOptions<C extends SentCall> {
  readonly upstream: {
    /** Returns the reply, begun by the deadline; `token_rejected` when the upstream wants another login. */
    send(call: C, token: string, caller: Caller, deadlineMs: number): Promise<RawReply | 'token_rejected'>;
  };
  readonly session: UpstreamSession;
  readonly gate: AccountGate;
  /** How long a response may take to begin, with queueing, logins and retries. */
  readonly timeoutMs: number;
  /** How often a read that met the account's limit is sent again. */
  readonly retries: number;
  /** Monotonic milliseconds; the same clock as the gate's. */
  readonly clock: () => number;
}

/** Sends the calls of one service account through its gate and with its login, each answered by its deadline. */
export function createAccountSender<C extends SentCall>(
  options: AccountSenderOptions<C>,
): (call: C, caller: Caller) => Promise<RawReply> {
  const { upstream, session, gate, timeoutMs, retries, clock } = options;

  /** Replaces a rejected token, once for each call. A rejected request did nothing, so even a write is sent again. */
  async function sendAgain(rejected: string, call: C, caller: Caller, deadlineMs: number): Promise<RawReply> {
    const replaced = session.replace(rejected);
    const fresh =
      typeof replaced === 'string' ? replaced : await waitUntil(replaced, { deadlineMs, signal: caller.signal }, clock);
    const second = await upstream.send(call, fresh, caller, deadlineMs);
    if (second === 'token_rejected') throw new Problem('upstream_failed', sessionMessages.tokenRejected);
    return second;
  }

  /** Stays synchronous where the gate is open: an extra tick costs throughput. */
  function attempt(turn: Turn<C>, retried: number): Promise<RawReply> {
    let entered: Slot | Promise<Slot>;
    try {
      entered = gate.enter(turn.entrant);
    } catch (error) {
      return Promise.reject(error);
    }
    return entered instanceof Promise
      ? entered.then((slot) => sendIn(slot, turn, retried))
      : sendIn(entered, turn, retried);
  }

  function sendIn(slot: Slot, turn: Turn<C>, retried: number): Promise<RawReply> {
    const { call, caller, entrant } = turn;
    const { deadlineMs } = entrant;
    const relay = (reply: RawReply | 'token_rejected', token: string): RawReply | Promise<RawReply> =>
      reply === 'token_rejected'
        ? sendAgain(token, call, caller, deadlineMs).then((second) => holdSlot(slot, second), fail)
        : holdSlot(slot, reply);
    const fail = (error: unknown): Promise<RawReply> => {
      if (error instanceof UpstreamLimit) gate.hold(error.waitMs);
      slot.release();
      const isRetried = error instanceof UpstreamLimit && call.operation.method === 'get' && retried < retries;
      return isRetried ? attempt(turn, retried + 1) : Promise.reject(error);
    };
    const sendWith = (token: string): Promise<RawReply> => {
      try {
        return upstream.send(call, token, caller, deadlineMs).then((reply) => relay(reply, token), fail);
      } catch (error) {
        return fail(error);
      }
    };
    const token = takeToken();
    return typeof token === 'string'
      ? sendWith(token)
      : waitUntil(token, { deadlineMs, signal: caller.signal }, clock).then(sendWith, fail);
  }

  function takeToken(): string | Promise<string> {
    try {
      return session.token();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return (call, caller) => {
    const lane = caller.principal?.owner ?? '';
    const entrant = { lane, signal: caller.signal, deadlineMs: clock() + timeoutMs };
    return attempt({ call, caller, entrant }, 0);
  };
}

interface Turn<C> {
  readonly call: C;
  readonly caller: Caller;
  readonly entrant: Entrant;
}

/** Holds the slot of a streamed response until its last byte, or until its reader stops. */
function holdSlot(slot: Slot, reply: RawReply): RawReply {
  const { raw } = reply;
  if (raw instanceof Readable && !raw.closed) {
    slot.startStreaming();
    raw.once('close', () => slot.release());
  } else {
    slot.release();
  }
  return reply;
}
