import { describe, expect, test } from 'vitest';
import { createUpstreamHealth } from './upstream-health.ts';

function setUp(answers: (() => Promise<boolean>)[]) {
  const time = { nowMs: 0, asked: 0 };
  const health = createUpstreamHealth({
    isReachable: () => (answers[time.asked++] ?? Promise.reject)(),
    clock: () => time.nowMs,
    freshMs: 1_000,
  });
  return { time, health };
}

describe('readiness of the upstream', () => {
  test('asks once in a while however often it is asked', async () => {
    const { time, health } = setUp([async () => true, async () => false]);
    const found = await Promise.all([health(), health(), health()]);
    expect(found.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
    time.nowMs = 999;
    expect(await health()).toMatchObject({ status: 'ready' });
    expect(time.asked).toBe(1);
    time.nowMs = 1_000;
    expect(await health()).toMatchObject({ status: 'unavailable' });
    expect(time.asked).toBe(2);
  });

  test('says nothing of what went wrong inside', async () => {
    const { health } = setUp([() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'))]);
    expect(JSON.stringify(await health())).not.toContain('10.0.0.7');
    expect(await health()).toMatchObject({ status: 'unavailable' });
  });
});
