import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createKeyStatistics } from './request-statistics.ts';

it('counts by the name of the key and the status, for a bounded number of keys', async () => {
  const registry = new Registry();
  const count = createKeyStatistics(registry);
  for (const status of [200, 200, 429]) count('ops', status);
  for (let i = 0; i < 10_050; i++) count(`key-${i}`, 200);
  const text = await registry.metrics();
  expect(text).toContain('http_requests_by_key_total{key="ops",status="200"} 2');
  expect(text).toContain('http_requests_by_key_total{key="ops",status="429"} 1');
  expect(text.match(/^http_requests_by_key_total\{/gm)).toHaveLength(10_001);
});
