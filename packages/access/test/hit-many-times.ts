import { createRedisHitStore, monotonicNow } from '../src/limits/index.ts';

/**
 * One of several processes that share a Redis: sends many concurrent hits of one key and prints how many were admitted.
 */
const [url = '', count = '0', limit = '0', key = ''] = process.argv.slice(2);
const store = createRedisHitStore({
  url,
  prefix: 'test:',
  windowMs: 60_000,
  onFailure: 'closed',
  clock: monotonicNow,
  // Long, because the processes share few cores; the test checks what is admitted, not when.
  deadlineMs: 20_000,
});
await store.opened();
while (store.status().status !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const hit = { keys: [`owner:${key}`, `route:${key}`], limits: [Number(limit), Number(limit) * 10] };
  const verdicts = await Promise.all(Array.from({ length: Number(count) }, () => store.hit(hit)));
  const admitted = verdicts.filter((verdict) => verdict.every((state) => state.isAdmitted)).length;
  process.stdout.write(`${admitted}\n`);
  await store.close();
  process.stdin.destroy();
});
