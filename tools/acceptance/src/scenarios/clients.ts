import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { AskOptions } from '../promises/ask.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { gatewayCount, lastingKey, limitedKey, type Subject } from './subject.ts';

/** Sends requests of every kind until it is stopped. */
export interface Clients {
  /** Resolves when all requests have their reply. */
  stop(): Promise<void>;
}

interface Sent {
  readonly kind: string;
  readonly about: string | number;
  readonly path: string;
  readonly options?: AskOptions;
}

interface Caller {
  readonly everyMs: number;
  readonly next: (n: number) => Sent;
}

const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });
let asked = 0;

/** Starts callers of each gateway: on kept-alive connections and on new ones, about 150 requests a second in all. */
export function startClients(subject: Subject, log: ExchangeLog, keys: readonly string[]): Clients {
  let isEnding = false;
  const token = subject.issuer.token();
  const running: Promise<void>[] = [];
  const run = async (gateway: number, { everyMs, next }: Caller, keepAlive: boolean) => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let n = 0; !isEnding; n++) {
      const { kind, about, path, options } = next(n);
      await log.ask({ kind, gateway, about }, subject.url(gateway) + path, { agent, ...options });
      await wait(everyMs);
    }
    agent.destroy();
  };
  for (let gateway = 0; gateway < gatewayCount; gateway++) {
    for (const caller of callersOf(gateway, keys, token)) {
      running.push(run(gateway, caller, true), run(gateway, caller, false));
    }
    running.push(run(gateway, writerOf(gateway), true));
  }
  return {
    async stop() {
      isEnding = true;
      await Promise.all(running);
    },
  };
}

function callersOf(gateway: number, keys: readonly string[], token: string): Caller[] {
  const ids = () => ++asked;
  return [
    { everyMs: 30, next: () => ({ kind: 'generation', about: '', path: '/answer' }) },
    {
      everyMs: 30,
      next(n) {
        const key = keys[n % keys.length] as string;
        return { kind: 'private', about: key, path: '/private', options: withKey(key) };
      },
    },
    { everyMs: 50, next: () => ({ kind: 'lasting', about: '', path: '/private', options: withKey(lastingKey) }) },
    { everyMs: 20, next: () => ({ kind: 'read', about: `of-${gateway}`, path: `/items/of-${gateway}` }) },
    {
      everyMs: 40,
      next() {
        const id = String(ids());
        return { kind: 'forward', about: id, path: `/forward/${id}` };
      },
    },
    {
      everyMs: 50,
      next() {
        const id = String(ids());
        return { kind: 'own', about: id, path: `/own/${id}` };
      },
    },
    {
      everyMs: 100,
      next: () => ({
        kind: 'token',
        about: '',
        path: '/token',
        options: { headers: { Authorization: `Bearer ${token}` } },
      }),
    },
    { everyMs: 200, next: () => ({ kind: 'limited', about: '', path: '/limited', options: withKey(limitedKey) }) },
    { everyMs: 200, next: () => ({ kind: 'live', about: '', path: '/health/live' }) },
    { everyMs: 500, next: () => ({ kind: 'metrics', about: '', path: '/metrics' }) },
  ];
}

/** Writes growing versions of the item that the gateway caches. */
function writerOf(gateway: number): Caller {
  return {
    everyMs: 100,
    next() {
      const version = ++asked;
      const options = { method: 'PUT', body: String(version), headers: { 'Content-Type': 'text/plain' } };
      return { kind: 'write', about: `of-${gateway}=${version}`, path: `/items/of-${gateway}`, options };
    },
  };
}
