import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ConfiguredHitStoreOptions,
  createConfiguredHitStore,
  type HitStoreSettings,
} from './configured-hit-store.ts';
import { createMemoryHitStore } from './sliding-window.ts';

const hit = { keys: ['owner:ann'], limits: [10] };
const usedBy = async (counts: { hit: ReturnType<typeof createConfiguredHitStore>['hit'] }) =>
  (await counts.hit(hit))[0]?.used;

/** Waits until it is known whether the configured store is reachable. */
const isKnown = ({ status }: Pick<ReturnType<typeof createConfiguredHitStore>, 'status'>) =>
  vi.waitFor(() => expect(status()).not.toMatchObject({ reason: 'No connection yet.' }), { timeout: 20_000 });

function start(values: Partial<HitStoreSettings> = {}, more: Partial<ConfiguredHitStoreOptions> = {}) {
  const settingsOf = (more: Partial<HitStoreSettings> = {}): HitStoreSettings => ({
    ...{ rate_limit_enabled: true, redis_url: '', redis_prefix: 'a:', rate_limit_on_store_failure: 'local' },
    ...values,
    ...more,
  });
  const counts = createConfiguredHitStore({ settings: settingsOf(), clock: () => 0, onChange: () => {}, ...more });
  return { counts, settingsOf };
}

describe('createConfiguredHitStore', () => {
  it('keeps the counts through every change of the settings that does not change the store', async () => {
    const { counts, settingsOf } = start();
    expect(await usedBy(counts)).toBe(1);
    counts.use(settingsOf({ rate_limit_on_store_failure: 'closed', redis_prefix: 'other:' }));
    expect(await usedBy(counts)).toBe(2);
    // Nothing listens on this port.
    counts.use(settingsOf({ redis_url: 'redis://127.0.0.1:1' }));
    expect(counts.status()).toMatchObject({ status: 'degraded', store: 'redis' });
    await isKnown(counts);
    expect(await usedBy(counts)).toBe(1);
    counts.use(settingsOf());
    expect(counts.status()).toEqual({ status: 'ready', store: 'memory' });
    await counts.opened();
    expect(await usedBy(counts)).toBe(1);
    await counts.close();
  });

  it('closes the former store when it switches, and the current one at the end', async () => {
    const made: string[] = [];
    const createMemory = () => {
      const name = `memory ${made.length}`;
      made.push(name);
      const close = async () => {
        made[made.indexOf(name)] = `${name} closed`;
      };
      return { ...createMemoryHitStore({ windowMs: 60_000, clock: () => 0 }), close };
    };
    const { counts, settingsOf } = start({}, { createMemory });
    counts.use(settingsOf({ redis_url: 'redis://127.0.0.1:1' }));
    await isKnown(counts);
    // A hit may still wait for it.
    expect(made).toEqual(['memory 0']);
    await vi.waitFor(() => expect(made).toEqual(['memory 0 closed']), { timeout: 5_000 });
    counts.use(settingsOf());
    await counts.opened();
    expect(made).toEqual(['memory 0 closed', 'memory 1']);
    await counts.close();
    expect(made).toEqual(['memory 0 closed', 'memory 1 closed']);
  });

  it('lets the former store decide until it is known that the next one is unreachable', async () => {
    const { counts, settingsOf } = start({ rate_limit_on_store_failure: 'closed' });
    expect(await usedBy(counts)).toBe(1);
    counts.use(settingsOf({ redis_url: 'redis://127.0.0.1:1' }));
    expect(await usedBy(counts)).toBe(2);
    counts.use(settingsOf({ redis_url: 'redis://127.0.0.1:2' }));
    expect(await usedBy(counts)).toBe(3);
    await isKnown(counts);
    await expect(usedBy(counts)).rejects.toMatchObject({ code: 'unavailable' });
    await counts.close();
  });

  it('lets the former store decide while it is unknown whether the next one is reachable, and keeps its counts', async () => {
    // Accepts connections and never responds.
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { counts, settingsOf } = start({ rate_limit_on_store_failure: 'closed' });
    expect(await usedBy(counts)).toBe(1);
    counts.use(settingsOf({ redis_url: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}` }));
    await counts.opened();
    expect(await usedBy(counts)).toBe(2);
    counts.use(settingsOf());
    expect(await usedBy(counts)).toBe(3);
    await counts.close();
  });

  it('does not use Redis when limits are disabled', async () => {
    const { counts } = start({ rate_limit_enabled: false, redis_url: 'redis://127.0.0.1:1' });
    expect(counts.status()).toEqual({ status: 'ready', enabled: false });
    expect(await usedBy(counts)).toBe(1);
    await counts.close();
  });
});
