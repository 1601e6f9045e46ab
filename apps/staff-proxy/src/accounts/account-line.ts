import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import type { StaffUpstream } from '../upstream/staff-upstream.ts';
import { UpstreamLimit } from '../upstream/upstream-problem.ts';
import type { AccountGate } from './account-gate.ts';
import type { Place } from './account-places.ts';
import { tokenRefused, type UpstreamSession } from './upstream-session.ts';
import { waitUntil } from './wait-until.ts';
import type { Visitor } from './waiter.ts';

export interface AccountLineOptions {
  readonly upstream: Pick<StaffUpstream, 'send'>;
  /** The account's standing login. */
  readonly session: UpstreamSession;
  readonly gate: AccountGate;
  /** How long an answer may take to begin: waiting for a place, logins and retries included. */
  readonly timeoutMs: number;
  /** How often a read is sent again that met the account's limit. */
  readonly retries: number;
  /** Milliseconds that never go back; the same as the gate's. */
  readonly clock: () => number;
}

/** Sends the calls of one service account, in their turn and with its login, so that each is answered by its deadline. */
export function createAccountLine(options: AccountLineOptions): SendCall {
  const { upstream, session, gate, timeoutMs, retries, clock } = options;

  /** A refused token is replaced, once for each call: what was refused has done nothing, were it a write. */
  async function sendAgain(refused: string, call: StaffCall, caller: Caller, deadlineMs: number): Promise<RawReply> {
    const replaced = session.replace(refused);
    const fresh =
      typeof replaced === 'string' ? replaced : await waitUntil(replaced, { deadlineMs, signal: caller.signal }, clock);
    const second = await upstream.send(call, fresh, caller, deadlineMs);
    if (second === 'token_refused') throw new Problem('upstream_failed', tokenRefused);
    return second;
  }

  /** From the gate on: nothing waits here that is free to go. */
  function attempt(turn: Turn, again: number): Promise<RawReply> {
    let entered: Place | Promise<Place>;
    try {
      entered = gate.enter(turn.visitor);
    } catch (error) {
      return Promise.reject(error);
    }
    return entered instanceof Promise
      ? entered.then((place) => sendFrom(place, turn, again))
      : sendFrom(entered, turn, again);
  }

  function sendFrom(place: Place, turn: Turn, again: number): Promise<RawReply> {
    const { call, caller, visitor } = turn;
    const { deadlineMs } = visitor;
    const relay = (reply: RawReply | 'token_refused', token: string): RawReply | Promise<RawReply> =>
      reply === 'token_refused'
        ? sendAgain(token, call, caller, deadlineMs).then((second) => keepPlace(place, second), fail)
        : keepPlace(place, reply);
    const fail = (error: unknown): Promise<RawReply> => {
      if (error instanceof UpstreamLimit) gate.hold(error.waitMs);
      place.leave();
      const isToGoAgain = error instanceof UpstreamLimit && call.operation.method === 'get' && again < retries;
      return isToGoAgain ? attempt(turn, again + 1) : Promise.reject(error);
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
    const visitor = { lane, signal: caller.signal, deadlineMs: clock() + timeoutMs };
    return attempt({ call, caller, visitor }, 0);
  };
}

/** A call on its way through the line. */
interface Turn {
  readonly call: StaffCall;
  readonly caller: Caller;
  readonly visitor: Visitor;
}

/** An answer that is still on its way keeps its place until its last byte, or until nobody reads it any more. */
function keepPlace(place: Place, reply: RawReply): RawReply {
  const { raw } = reply;
  if (raw instanceof Readable && !raw.closed) {
    place.begin();
    raw.once('close', () => place.leave());
  } else {
    place.leave();
  }
  return reply;
}
