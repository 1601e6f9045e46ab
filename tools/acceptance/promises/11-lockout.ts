import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { askOnce } from '../src/promises/ask.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

const everyMs = 10;

const cases = [
  { name: 'by address', limit: 60, headers: {}, settings: {} },
  { name: 'by key', limit: 300, headers: { 'X-API-Key': goodKey }, settings: {} },
  { name: 'by key with two workers', limit: 300, headers: { 'X-API-Key': goodKey }, settings: { workers: 2 } },
];

export const promise = definePromise({
  number: 11,
  title: 'Rejects do not extend the lockout',
  done: 'A client keeps sending 100 requests a second through a minute of 429 responses',
  target: 'readmitted at the advertised second',
  async run(trial) {
    return (await Promise.all(cases.map((one) => exceedLimit(one, trial)))).flat();
  },
});

async function exceedLimit(
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
  // When a client that follows the responses would return.
  let [earliestMs, latestMs] = [Number.POSITIVE_INFINITY, 0];
  let lastRejectedMs = 0;
  let rejects = 0;
  for (;;) {
    const { status, headers: received, sentMs, receivedMs } = await ask();
    if (status !== 429) {
      say(`${name}: readmitted after ${rejects} rejects`);
      return [
        // A request sent after the advertised time must be admitted.
        toFigure(
          { name: `rejected after the advertised time ${name}`, unit: 'ms', max: 0 },
          Math.max(0, lastRejectedMs - earliestMs),
        ),
        toFigure({ name: `readmitted early ${name}`, unit: 'ms', max: 1_000 }, Math.max(0, latestMs - receivedMs)),
        toFigure(
          { name: `responses other than 429 and 200 ${name}`, unit: '', max: 0 },
          status === 200 ? 0 : 1,
          String(status),
        ),
        toFigure({ name: `rejects ${name}`, unit: '', min: 1_000 }, rejects),
      ];
    }
    rejects++;
    lastRejectedMs = sentMs;
    const waitMs = Number(received['retry-after']) * 1_000;
    earliestMs = Math.min(earliestMs, receivedMs + waitMs);
    latestMs = Math.max(latestMs, sentMs + waitMs);
    if (receivedMs > earliestMs + 10_000) throw new Error(`The client is not readmitted ${name}.`);
    await wait(everyMs);
  }
}
