import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../../../apps/scheduling/src/demo/random.ts';
import type { AtEnd } from '../../at-end.ts';
import { type AskOptions, askOnce } from '../ask.ts';

/** A client that sends one request at a time, at its own pace. */
export interface Caller {
  /** The server whose response times it measures. */
  readonly server: string;
  /** Whether each request uses a new connection. */
  readonly isNew?: boolean;
  readonly everyMs: number;
  readonly ask: (n: number) => Omit<AskOptions, 'agent'> & { readonly url: string };
  /** The expected statuses; 200 by default. */
  readonly wanted?: readonly number[];
  /** Whether the response is slow by design, so that its time does not count. */
  readonly isSlow?: boolean;
  /** Called with the body of each response. */
  readonly onResponse?: (text: string) => void;
}

export interface PacedLoad {
  /** Stops sending; resolves when all requests have their response. */
  pause(): Promise<void>;
  resume(): void;
  /** Returns the response times in milliseconds since the last call, by server. */
  takeTimes(): ReadonlyMap<string, readonly number[]>;
  readonly responses: number;
  /** Unexpected responses. */
  readonly failures: readonly string[];
}

export interface PacedLoadOptions {
  readonly atEnd: AtEnd;
  /** Draws when each caller starts. */
  readonly random: Random;
  /** Returns the clock for the response times of a server. */
  readonly clockOf?: (server: string) => () => number;
}

/** Starts a load with a fixed rate, which does not depend on the response times. */
export function startPacedLoad(
  callers: readonly Caller[],
  { atEnd, random, clockOf = () => () => performance.now() }: PacedLoadOptions,
): PacedLoad {
  const failures: string[] = [];
  let responses = 0;
  let times = new Map<string, number[]>();
  let isEnding = false;
  let gate: PromiseWithResolvers<void> | undefined;
  const busy = new Set<Promise<void>>();

  async function askOf(caller: Caller, n: number, agent: Agent): Promise<void> {
    const { url, ...options } = caller.ask(n);
    const clock = clockOf(caller.server);
    const startedMs = clock();
    const { status, text, fault } = await askOnce(url, { agent, ...options });
    const tookMs = Math.max(0, clock() - startedMs);
    responses++;
    if (!(caller.wanted ?? [200]).includes(status)) {
      failures.push(`${caller.server}: ${options.method ?? 'GET'} ${url}: ${fault ?? status} ${text.slice(0, 200)}`);
    } else caller.onResponse?.(text);
    if (caller.isSlow) return;
    const all = times.get(caller.server) ?? [];
    times.set(caller.server, all);
    all.push(tookMs);
  }

  async function run(caller: Caller): Promise<void> {
    const agent = new Agent({ keepAlive: caller.isNew !== true, maxSockets: 1 });
    // Callers start at different times.
    let dueMs = performance.now() + random.next() * caller.everyMs;
    for (let n = 0; ; n++) {
      await wait(Math.max(0, dueMs - performance.now()));
      await gate?.promise;
      if (isEnding) break;
      const asked = askOf(caller, n, agent);
      busy.add(asked);
      await asked;
      busy.delete(asked);
      dueMs = Math.max(dueMs + caller.everyMs, performance.now());
    }
    agent.destroy();
  }

  const running = callers.map(run);
  const resume = () => {
    gate?.resolve();
    gate = undefined;
  };
  atEnd(async () => {
    isEnding = true;
    resume();
    await Promise.all(running);
  });
  return {
    async pause() {
      gate ??= Promise.withResolvers();
      await Promise.all(busy);
    },
    resume,
    takeTimes() {
      const taken = times;
      times = new Map();
      return taken;
    },
    get responses() {
      return responses;
    },
    failures,
  };
}
