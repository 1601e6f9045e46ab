import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainFetch } from '../plain-fetch.ts';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';

const requests = 12;
const latencyMs = 60;
/** What the seed of the server selects. */
const failing = [401, 503, 401, 503, 401, 503, 503, 401, 401, 503, 401, 503];

interface Timed {
  readonly status: number;
  readonly tookMs: number;
  readonly body: unknown;
  readonly retryAfter: string | null;
}

let server: SchedulingProcess;
let responses: Timed[];
let limited: Timed;

// All in one run, because each server takes a second to start. Requests without a token are 401 unless they fail.
beforeAll(async () => {
  const settings = ['--latency', `${latencyMs}-${latencyMs + 40}`, '--fail', '40:503', '--random-seed', 'a'];
  server = await startScheduling({
    args: ['serve', '--form', 'vendor', ...settings, '--requests-per-minute-max', String(requests)],
    env: { ROSTERGATE_SCHEDULING_SEED: 'none' },
  });
  responses = [];
  for (let n = 0; n < requests; n++) responses.push(await ask());
  limited = await ask();
});
afterAll(async () => {
  await server?.stop();
});

async function ask(): Promise<Timed> {
  const startMs = performance.now();
  // Its responses are not those of the contract, which the other callers check.
  const response = await plainFetch(`${server.url}/v2/staffmember`);
  const body = await response.json();
  const { status, headers } = response;
  return { status, tookMs: performance.now() - startMs, body, retryAfter: headers.get('Retry-After') };
}

test('setting latency: each response of the vendor’s form takes at least that long', () => {
  // A timer may be a millisecond early.
  for (const { tookMs } of responses) expect(tookMs).toBeGreaterThan(latencyMs - 2);
});

test('setting fail: a share of the requests gets that status, with an error of the vendor', () => {
  const failed = responses.filter(({ status }) => status !== 401);
  expect(failed.length).toBeGreaterThan(0);
  for (const response of failed) {
    expect(response).toMatchObject({ status: 503, body: { Message: expect.any(String) }, retryAfter: '1' });
  }
});

test('setting random_seed: the same requests fail in each run', () => {
  expect(responses.map(({ status }) => status)).toEqual(failing);
});

test('setting requests_per_minute_max: one more request is 429 with the time to wait', () => {
  expect(limited).toMatchObject({ status: 429, body: { Message: expect.any(String) } });
  expect(Number(limited.retryAfter)).toBeGreaterThan(0);
  expect(Number(limited.retryAfter)).toBeLessThanOrEqual(60);
});
