import type { CallSignal } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';

export interface LoginQueueOptions {
  /** Maximum of logins in progress. Each takes a thread and 128 MiB. */
  readonly atOnce?: number;
  /**
   * Maximum of logins of one e-mail at one address, in progress or waiting: others behind the same NAT can still log
   * in.
   */
  readonly perEmailMax?: number;
  /** Maximum of logins of one address, in progress or waiting. */
  readonly perAddressMax?: number;
  readonly max?: number;
  readonly waitMs?: number;
}

export interface WaitingLogin {
  readonly address: string;
  readonly email: string;
  /** Aborts when the client disconnects. */
  readonly call: CallSignal;
}

/**
 * Returns a function that runs the logins of one address one at a time, so that each is admitted only after the
 * failures before it are counted: parallel guesses gain nothing. Addresses take turns. A login whose client has
 * disconnected is dropped.
 * @throws Problem 503 `unavailable` for a login beyond the limits or the wait, before any work is done for it
 */
export function createLoginQueue(
  options: LoginQueueOptions = {},
): <T>(login: WaitingLogin, work: () => Promise<T>) => Promise<T> {
  const { atOnce = 2, perEmailMax = 32, perAddressMax = 64, max = 256, waitMs = 10_000 } = options;
  /** Waiting logins by address; the address whose turn is next comes first. */
  const waiting = new Map<string, Waiter[]>();
  /** The e-mail of the login in progress, by address. */
  const running = new Map<string, string>();
  let size = 0;

  function remove(waiter: Waiter): void {
    const { address } = waiter.login;
    const lane = (waiting.get(address) ?? []).filter((other) => other !== waiter);
    if (lane.length === 0) waiting.delete(address);
    else waiting.set(address, lane);
    size--;
  }

  function next(): void {
    for (const [address, lane] of waiting) {
      if (running.size >= atOnce) return;
      const [first] = lane;
      if (first === undefined || running.has(address)) continue;
      waiting.delete(address);
      if (lane.length > 1) waiting.set(address, lane);
      running.set(address, first.login.email);
      first.leave();
      first.go();
    }
  }

  /**
   * Rejects a login beyond the limits. When the queue is full, drops the last login of the longest lane to admit it.
   */
  function requireCapacity({ address, email }: WaitingLogin): void {
    const lane = waiting.get(address) ?? [];
    const emails = lane.map(({ login }) => login.email);
    const current = running.get(address);
    if (current !== undefined) emails.push(current);
    const ofEmail = emails.filter((other) => other === email);
    if (emails.length >= perAddressMax || ofEmail.length >= perEmailMax) throw tooMany();
    if (size < max) return;
    const longest = [...waiting.values()].reduce((a, b) => (b.length > a.length ? b : a));
    if (longest.length <= lane.length + 1) throw tooMany();
    longest.at(-1)?.giveUp();
  }

  function turn(login: WaitingLogin): Promise<void> {
    return new Promise((go, reject) => {
      const giveUp = () => {
        waiter.leave();
        reject(tooMany());
      };
      const timer = setTimeout(giveUp, waitMs);
      const waiter: Waiter = {
        login,
        go,
        giveUp,
        leave() {
          clearTimeout(timer);
          login.call.removeEventListener('abort', giveUp);
          remove(waiter);
        },
      };
      login.call.addEventListener('abort', giveUp);
      waiting.set(login.address, [...(waiting.get(login.address) ?? []), waiter]);
      size++;
      if (login.call.aborted) giveUp();
      else next();
    });
  }

  return async (login, work) => {
    requireCapacity(login);
    await turn(login);
    try {
      return await work();
    } finally {
      running.delete(login.address);
      next();
    }
  };
}

interface Waiter {
  readonly login: WaitingLogin;
  go(): void;
  /** Ends the wait with 503. */
  giveUp(): void;
  leave(): void;
}

function tooMany(): Problem {
  return new Problem('unavailable', 'Too many logins are waiting. Send the login again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });
}
