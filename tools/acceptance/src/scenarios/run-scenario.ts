import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../../../apps/scheduling/src/demo/random.ts';
import { startClients } from './clients.ts';
import { watchCpuWaits } from './cpu-waits.ts';
import { disturbances, type Stage } from './disturbances.ts';
import { createExchangeLog } from './exchange-log.ts';
import { type Facts, findViolations } from './invariants.ts';
import { openStreams } from './streams.ts';
import { gatewayCount, intervalMs, lastingKey, type Subject } from './subject.ts';

export interface Scenario {
  /** Names of disturbances; they run at the same time. */
  readonly pair: readonly [string, string];
  /** Decides when each begins, and what it does. */
  readonly seed: string;
}

export interface ScenarioOutcome {
  readonly violations: readonly string[];
  readonly exchanges: number;
  /** A process waited for the CPU so long that deadlines inside the servers passed: only contents were checked. */
  readonly isStarved: boolean;
}

/** In any second. */
const starvedMs = 700;

/** Runs two disturbances under load; returns what was violated. Afterwards the servers are whole, or this rejects. */
export async function runScenario(subject: Subject, { pair, seed }: Scenario): Promise<ScenarioOutcome> {
  const random = createRandom(seed);
  const log = createExchangeLog();
  const keys = Array.from({ length: 3 }, (_, n) => `key-${seed}-${n}`.replaceAll(/[^\w-]/g, '_'));
  const terms = new Map(
    keys.map((key) => [key, { validMs: Number.POSITIVE_INFINITY, revokedMs: Number.POSITIVE_INFINITY }]),
  );
  const revoked: string[] = [];
  const edits: { gateway: number; generation: number; writtenMs: number }[] = [];
  const noteEdit: Stage['noteEdit'] = (gateway, generation) =>
    edits.push({ gateway, generation, writtenMs: performance.now() });
  const limit = { most: 10, fewest: 10, intervalMs };
  for (let gateway = 0; gateway < gatewayCount; gateway++) noteEdit(gateway, subject.generation(gateway));

  await subject.writeKeys(keys, []);
  await wait(1_500);
  await subject.settle();
  for (const term of terms.values()) term.validMs = performance.now();
  const waits = watchCpuWaits(() => [process.pid, ...subject.processes()]);
  const streams = await openStreams(subject, [keys[0] as string, lastingKey]);
  const clients = startClients(subject, log, keys);
  const stage: Stage = {
    ...{ subject, log, random },
    noteEdit,
    noteLimit(requests) {
      limit.most = Math.max(limit.most, requests);
      limit.fewest = Math.min(limit.fewest, requests);
    },
    async revoke() {
      const key = keys[revoked.length];
      if (key === undefined) return;
      revoked.push(key);
      await subject.writeKeys(keys.slice(revoked.length), revoked);
      terms.set(key, { validMs: terms.get(key)?.validMs ?? 0, revokedMs: performance.now() });
    },
  };
  await wait(500);
  await Promise.all(
    pair.map(async (name) => {
      const disturb = disturbances[name];
      if (disturb === undefined) throw new Error(`There is no disturbance ${name}.`);
      await wait(random.integer(0, 500));
      for (let i = 0; i < 2; i++) await disturb(stage);
    }),
  );
  // Late effects: deadlines of 2 s, and what the last disturbance left behind.
  await wait(3_500);
  await subject.settle();
  await clients.stop();
  const endedMs = performance.now();
  streams.stop();
  const { inAllMs, inOneSecondMs } = waits.stop();
  const isStarved = inOneSecondMs > starvedMs;
  // Redis counts as down when a count takes longer than 40 ms, as on a busy machine.
  const alone = subject.timesWithoutStore().map((time) => ({ allows: 'store' as const, ...time }));
  const spans = [...log.spans, ...alone];
  const facts: Facts = { edits, keys: terms, limit, slackMs: inAllMs, endedMs };
  const violations = findViolations({ ...log, spans, streams: streams.seen }, facts, isStarved);
  return { violations, exchanges: log.exchanges.length, isStarved };
}
