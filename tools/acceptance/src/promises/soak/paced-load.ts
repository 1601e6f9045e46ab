import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../../../apps/scheduling/src/demo/random.ts';
import type { AtEnd } from '../../at-end.ts';
import { type AskOptions, askOnce } from '../ask.ts';

/** Somebody who asks again and again, one request at a time, at a pace of their own. */
export interface Caller {
  /** Whose times it counts among. */
  readonly server: string;
  /** On a new connection for each request. */
  readonly isNew?: boolean;
  readonly everyMs: number;
  readonly ask: (n: number) => Omit<AskOptions, 'agent'> & { readonly url: string };
  /** Statuses that are right; 200 alone unless said. */
  readonly wanted?: readonly number[];
  /** The answer takes its time on purpose. */
  readonly isSlow?: boolean;
  /** Told of each answer. */
  readonly onAnswer?: (text: string) => void;
}

export interface PacedLoad {
  /** Nobody asks any more; resolves when everybody has their answer. */
  pause(): Promise<void>;
  resume(): void;
  /** How long answers took since this was last asked, in milliseconds, by server. */
  takeTimes(): ReadonlyMap<string, readonly number[]>;
  readonly answers: number;
  /** What was answered otherwise than it should be. */
  readonly failures: readonly string[];
}

export interface PacedLoadOptions {
  readonly atEnd: AtEnd;
  /** Decides when each caller begins. */
  readonly random: Random;
  /** Returns what tells the milliseconds that answers of a server take. */
  readonly clockOf?: (server: string) => () => number;
}

/** A load that is the same on every machine, as far as it keeps pace: how often is asked does not depend on the answers. */
export function startPacedLoad(
  callers: readonly Caller[],
  { atEnd, random, clockOf = () => () => performance.now() }: PacedLoadOptions,
): PacedLoad {
  const failures: string[] = [];
  let answers = 0;
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
    answers++;
    if (!(caller.wanted ?? [200]).includes(status)) {
      failures.push(`${caller.server}: ${options.method ?? 'GET'} ${url}: ${fault ?? status} ${text.slice(0, 200)}`);
    } else caller.onAnswer?.(text);
    if (caller.isSlow) return;
    const all = times.get(caller.server) ?? [];
    times.set(caller.server, all);
    all.push(tookMs);
  }

  async function run(caller: Caller): Promise<void> {
    const agent = new Agent({ keepAlive: caller.isNew !== true, maxSockets: 1 });
    // Not all in one moment.
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
    get answers() {
      return answers;
    },
    failures,
  };
}
