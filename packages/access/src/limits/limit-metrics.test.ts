import { unmatchedRoute } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { HitStore } from './hit-store.ts';
import { createLimitMetrics } from './limit-metrics.ts';
import { createLimiter } from './limiter.ts';
import { createMemoryHitStore } from './sliding-window.ts';

const context = {
  route: unmatchedRoute,
  principal: { name: 'a', owner: 'a', scopes: [] },
  req: {},
  res: {},
} as never;

async function start(hits: HitStore) {
  const registry = new Registry();
  const onDecision = createLimitMetrics(registry, hits.status);
  const limit = createLimiter({ name: 'p', anonymousPerWindow: 1, authenticatedPerWindow: 2, hits, onDecision });
  const request = async () => {
    try {
      await limit(context);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  };
  for (let i = 0; i < 3; i++) await request();
  return registry.metrics();
}

const memory = () => createMemoryHitStore({ windowMs: 60_000, clock: () => 1_000 });

it('counts admitted and rejected requests', async () => {
  const text = await start(memory());
  expect(text).toContain('rate_limit_decisions_total{outcome="admitted"} 2');
  expect(text).toContain('rate_limit_decisions_total{outcome="refused"} 1');
  expect(text).toContain('rate_limit_violations_total{policy="p"} 1');
  expect(text).toContain('rate_limit_store_up 1');
});

it('counts requests that pass uncounted while the store is unavailable', async () => {
  const store = { ...memory(), status: () => ({ status: 'degraded' as const }) };
  const passed = await start({ ...store, hit: () => [] });
  expect(passed).toContain('rate_limit_decisions_total{outcome="uncounted"} 3');
  expect(passed).toContain('rate_limit_store_up 0');
});

const unavailable = () => new Problem('unavailable', 'Unavailable.');

it.each<[string, HitStore['hit']]>([
  ['rejects', () => Promise.reject(unavailable())],
  [
    'throws',
    () => {
      throw unavailable();
    },
  ],
])('counts requests that are rejected because the store %s', async (_, hit) => {
  const text = await start({ ...memory(), hit });
  expect(text).toContain('rate_limit_decisions_total{outcome="unavailable"} 3');
});

it('rejects and never throws when the store throws', async () => {
  const hits: HitStore = {
    ...memory(),
    hit: () => {
      throw unavailable();
    },
  };
  const limit = createLimiter({ name: 'p', anonymousPerWindow: 1, authenticatedPerWindow: 2, hits });
  await expect(limit(context)).rejects.toMatchObject({ code: 'unavailable' });
});
