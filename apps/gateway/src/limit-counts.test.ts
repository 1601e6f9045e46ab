import { describe, expect, it } from 'vitest';
import { createLimitCounts } from './limit-counts.ts';
import { readSettings } from './settings.ts';

const hit = { keys: ['owner:ann'], limits: [10] };
const usedBy = async (counts: { hit: ReturnType<typeof createLimitCounts>['hit'] }) => (await counts.hit(hit))[0]?.used;

function start(values: Record<string, string> = {}) {
  const settingsOf = (more: Record<string, string> = {}) => readSettings({ env: { ...values, ...more } });
  const counts = createLimitCounts({ settings: settingsOf(), clock: () => 0, onChange: () => {} });
  return { counts, settingsOf };
}

describe('the counts of the limits', () => {
  it('outlive every change of the settings but that of their place', async () => {
    const { counts, settingsOf } = start();
    expect(await usedBy(counts)).toBe(1);
    counts.use(settingsOf({ ROSTERGATE_RATE_LIMIT_PER_MINUTE: '7', ROSTERGATE_REDIS_PREFIX: 'other:' }));
    expect(await usedBy(counts)).toBe(2);
    // Nobody listens there.
    counts.use(settingsOf({ ROSTERGATE_REDIS_URL: 'redis://127.0.0.1:1' }));
    expect(counts.status()).toMatchObject({ status: 'degraded', store: 'redis' });
    await counts.opened();
    expect(await usedBy(counts)).toBe(1);
    counts.use(settingsOf());
    expect(counts.status()).toEqual({ status: 'ready', store: 'memory' });
    expect(await usedBy(counts)).toBe(1);
    await counts.close();
  });

  it('need no Redis where limits are switched off', async () => {
    const { counts } = start({ ROSTERGATE_RATE_LIMIT_ENABLED: 'false', ROSTERGATE_REDIS_URL: 'redis://127.0.0.1:1' });
    expect(counts.status()).toEqual({ status: 'ready', enabled: false });
    expect(await usedBy(counts)).toBe(1);
    await counts.close();
  });
});
