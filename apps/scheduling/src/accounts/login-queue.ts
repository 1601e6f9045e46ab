import type { CallSignal } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';

export interface LoginQueueOptions {
  /** Most logins in progress at once. Each takes a thread and 128 MiB. */
  readonly atOnce?: number;
  /** Most logins of one e-mail at one address, in progress or waiting: they leave places to others behind a NAT. */
  readonly perEmailMax?: number;
  /** Most logins of one address, in progress or waiting. */
  readonly perAddressMax?: number;
  /** Most logins that wait. */
  readonly max?: number;
  /** How long a login waits at most. */
  readonly waitMs?: number;
}

/** A login before its turn. */
export interface WaitingLogin {
  readonly address: string;
  readonly email: string;
  /** Aborts when the caller has gone away. */
  readonly call: CallSignal;
}

/**
 * Runs the logins of one address one by one: each is admitted only once the failures before it have been counted, so
 * that guesses sent at once are worth no more. Addresses take turns. A login whose caller has gone away loses its turn.
 * @throws Problem 503 `unavailable` for a login beyond the bounds or the wait, before anything is done for it.
 */
export function createLoginQueue(
  options: LoginQueueOptions = {},
): <T>(login: WaitingLogin, work: () => Promise<T>) => Promise<T> {
  const { atOnce = 2, perEmailMax = 32, perAddressMax = 64, max = 256, waitMs = 10_000 } = options;
  /** By address, the address whose turn is next first. */
  const waiting = new Map<string, Waiter[]>();
  /** The e-mail that is in progress, by address. */
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

  /** Rejects unless there is a place; the last login of the longest lane gives up its own where all are taken. */
  function requirePlace({ address, email }: WaitingLogin): void {
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
    requirePlace(login);
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
