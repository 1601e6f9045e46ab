import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, judge } from '../../benchmark/src/figure.ts';
import { askOnce } from '../src/promises/ask-once.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

const everyMs = 10;

const cases = [
  { name: 'by address', limit: 60, headers: {}, settings: {} },
  { name: 'by key', limit: 300, headers: { 'X-API-Key': goodKey }, settings: {} },
  { name: 'by key over workers', limit: 300, headers: { 'X-API-Key': goodKey }, settings: { workers: 2 } },
];

export const promise = definePromise({
  number: 11,
  title: 'Rejects do not extend the lockout',
  done: 'a caller goes on asking a hundred times a second through 429s for the whole minute',
  target: 'recovery at the advertised second',
  async run(trial) {
    return (await Promise.all(cases.map((one) => hammer(one, trial)))).flat();
  },
});

async function hammer(
  { name, limit, headers, settings }: (typeof cases)[number],
  { atEnd, say }: Trial,
): Promise<Figure[]> {
  const gateway = await spawnGateway(
    { settings: { rate_limit_enabled: true, log_sample_every: 100_000, ...settings } },
    atEnd,
  );
  const ask = async () => {
    const sentMs = performance.now();
    const reply = await askOnce(`${gateway.url}/endpoints`, { headers });
    return { ...reply, sentMs, receivedMs: performance.now() };
  };
  for (let i = 0; i < limit; i++) await ask();
  // When somebody who believes the answers would come back.
  let [earliestMs, latestMs] = [Number.POSITIVE_INFINITY, 0];
  let lastRefusedMs = 0;
  let rejects = 0;
  for (;;) {
    const { status, headers: said, sentMs, receivedMs } = await ask();
    if (status !== 429) {
      say(`${name}: let in again after ${rejects} rejects`);
      return [
        // Who comes at the moment that was told must be let in: a refusal of what was sent after it is late.
        judge(
          { name: `refused after the moment told ${name}`, unit: 'ms', max: 0 },
          Math.max(0, lastRefusedMs - earliestMs),
        ),
        judge({ name: `early ${name}`, unit: 'ms', max: 1_000 }, Math.max(0, latestMs - receivedMs)),
        judge({ name: `neither 429 nor 200 ${name}`, unit: '', max: 0 }, status === 200 ? 0 : 1, String(status)),
        judge({ name: `rejects ${name}`, unit: '', min: 1_000 }, rejects),
      ];
    }
    rejects++;
    lastRefusedMs = sentMs;
    const waitMs = Number(said['retry-after']) * 1_000;
    earliestMs = Math.min(earliestMs, receivedMs + waitMs);
    latestMs = Math.max(latestMs, sentMs + waitMs);
    if (receivedMs > earliestMs + 10_000) throw new Error(`Nobody is let in again ${name}.`);
    await wait(everyMs);
  }
}
