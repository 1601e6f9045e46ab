import { setImmediate as nextTurn } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChance } from '../../test/create-chance.ts';
import { type Behaviour, startFaultUpstream } from '../../test/start-fault-upstream.ts';
import { createUpstreamRegistry, type UpstreamGroup, type UpstreamRegistryOptions } from './upstream-registry.ts';

const health = { path: '/up', intervalMs: 1_000, timeoutMs: 10_000, unhealthyAfter: 2, healthyAfter: 2 };

/** A wait that ends when the test says so. */
function createRounds() {
  const waiting: { readonly ms: number; readonly go: () => void }[] = [];
  return {
    delays: () => waiting.map(({ ms }) => ms),
    wait: (ms: number, signal: AbortSignal | undefined) =>
      new Promise<void>((resolve, reject) => {
        const turn = { ms, go: resolve };
        waiting.push(turn);
        signal?.addEventListener('abort', () => {
          const at = waiting.indexOf(turn);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason);
        });
      }),
    /** Lets every check run once, and waits until each waits again. */
    async run(times = 1): Promise<void> {
      for (let i = 0; i < times; i++) {
        const turns = waiting.splice(0);
        for (const { go } of turns) go();
        await vi.waitFor(() => expect(waiting).toHaveLength(turns.length), { timeout: 20_000, interval: 2 });
      }
    },
  };
}

/** An upstream whose checks fail while `isSick`; it serves requests all the time. */
async function startChecked(failure: Behaviour = { status: 503 }) {
  const state = { isSick: false };
  const upstream = await startFaultUpstream((_n, request) =>
    state.isSick && request === 'GET /base/up' ? failure : 'answer',
  );
  const count = (request: string) => upstream.requests.filter((one) => one === request).length;
  return Object.assign(state, {
    target: `${upstream.url}/base`,
    host: upstream.host,
    checks: () => count('GET /base/up'),
    served: () => count('GET /base/x'),
  });
}

function start(options: Partial<UpstreamRegistryOptions> = {}) {
  const rounds = createRounds();
  const registry = createUpstreamRegistry({
    clock: () => performance.now(),
    random: createChance(),
    wait: rounds.wait,
    ...options,
  });
  onTestFinished(() => registry.destroy());
  const lease = (targets: readonly string[], more: Partial<UpstreamGroup> = {}) =>
    registry.lease({ targets, retries: 0, timeoutMs: 5_000, health, ...more });
  return { registry, rounds, lease };
}

async function ask({ send }: ReturnType<ReturnType<typeof start>['lease']>, times = 10): Promise<void> {
  for (let i = 0; i < times; i++) (await send({ method: 'GET', path: '/x' })).body.resume();
}

describe('the health checks of an upstream', () => {
  it.each<Behaviour>([{ status: 503 }, { status: 404 }, 'reset', 'garbage', 'silence'])(
    'take a target that answers %j out until it is well again',
    async (failure) => {
      const [a, b] = [await startChecked(failure), await startChecked()];
      const changes: unknown[] = [];
      const { registry, rounds, lease } = start();
      registry.onHealth(({ host, isSick }) => changes.push([host, isSick]));
      const leased = lease(
        [a.target, b.target],
        failure === 'silence' ? { health: { ...health, timeoutMs: 3_000 } } : {},
      );
      a.isSick = true;
      await rounds.run();
      await ask(leased);
      expect(a.served()).toBeGreaterThan(0);
      await rounds.run();
      const before = a.served();
      await ask(leased);
      expect([a.served(), changes, registry.status()]).toEqual([
        before,
        [[a.host, true]],
        { status: 'degraded', targets: 2, open: [], unhealthy: [a.host] },
      ]);
      a.isSick = false;
      await rounds.run();
      expect(registry.status().unhealthy).toEqual([a.host]);
      await rounds.run();
      await ask(leased);
      expect([a.served() > before, registry.status()]).toEqual([
        true,
        { status: 'ready', targets: 2, open: [], unhealthy: [] },
      ]);
    },
  );

  it('begin at random times and repeat at varied intervals', async () => {
    const [a, b] = [await startChecked(), await startChecked()];
    const values = [0, 0.9, 0, 1];
    const { rounds, lease } = start({ random: () => values.shift() ?? 0 });
    lease([a.target, b.target]);
    expect(rounds.delays()).toEqual([0, 900]);
    await rounds.run();
    expect(rounds.delays()).toEqual([900, 1_100]);
  });

  it('keep what they know when the next configuration has other targets, paths and intervals', async () => {
    const [a, b, c] = [await startChecked(), await startChecked(), await startChecked()];
    const { rounds, lease } = start();
    const old = lease([a.target, b.target]);
    a.isSick = true;
    await rounds.run(2);
    const next = lease([a.target, c.target]);
    const edited = lease([a.target, b.target], { health: { ...health, intervalMs: 500 } });
    old.release();
    const before = a.served();
    await ask(next);
    await ask(edited);
    expect(a.served()).toBe(before);
    a.isSick = false;
    await rounds.run(2);
    await ask(next);
    expect(a.served()).toBeGreaterThan(before);
  });

  it('end with the last configuration that has the target, and its state with them', async () => {
    const [a, b] = [await startChecked(), await startChecked()];
    const { registry, rounds, lease } = start();
    const [first, second] = [lease([a.target]), lease([a.target, b.target])];
    expect(rounds.delays()).toHaveLength(2);
    a.isSick = true;
    await rounds.run(2);
    first.release();
    expect([rounds.delays().length, registry.sick().length]).toEqual([2, 1]);
    second.release();
    await nextTurn();
    expect([rounds.delays(), registry.sick(), a.checks()]).toEqual([[], [], 2]);
  });

  it('of one address over other connections keep their own state when the others end', async () => {
    const [a, b] = [await startChecked(), await startChecked()];
    const { registry, rounds, lease } = start();
    const leased = lease([a.target, b.target]);
    const stream = lease([a.target, b.target], { connections: { bodyTimeoutMs: 0 } });
    a.isSick = true;
    await rounds.run(2);
    stream.release();
    await nextTurn();
    expect(registry.status().unhealthy).toEqual([a.host]);
    a.isSick = false;
    await rounds.run(2);
    const before = a.served();
    await ask(leased);
    expect(a.served()).toBeGreaterThan(before);
  });

  it('send requests to every target while all fail: the requests decide', async () => {
    const [a, b] = [await startChecked(), await startChecked()];
    const { registry, rounds, lease } = start();
    const leased = lease([a.target, b.target]);
    [a.isSick, b.isSick] = [true, true];
    await rounds.run(2);
    await ask(leased);
    expect([a.served() + b.served(), registry.status().unhealthy?.length]).toEqual([10, 2]);
  });

  it('are made by one process and believed by the others', async () => {
    const [a, b] = [await startChecked(), await startChecked()];
    const primary = start();
    const worker = start({ isCheckedElsewhere: true });
    primary.lease([a.target, b.target]);
    const leased = worker.lease([a.target, b.target]);
    a.isSick = true;
    await primary.rounds.run(2);
    expect(worker.rounds.delays()).toEqual([]);
    worker.registry.takeSick(primary.registry.sick());
    const before = a.served();
    await ask(leased);
    expect([a.served(), worker.registry.status().unhealthy]).toEqual([before, [a.host]]);
    worker.registry.takeSick([]);
    await ask(leased);
    expect(a.served()).toBeGreaterThan(before);
  });

  it('appear in the metrics, of checked targets only', async () => {
    const [a, b, other] = [await startChecked(), await startChecked(), await startChecked()];
    const { registry, rounds, lease } = start();
    const metrics = new Registry();
    registry.countIn(metrics);
    lease([a.target, b.target]);
    await ask(lease([other.target], { health: undefined }), 1);
    a.isSick = true;
    await rounds.run(2);
    const found = (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'upstream_target_healthy');
    expect(found?.values.map(({ labels, value }) => [labels.target, value])).toEqual([
      [a.host, 0],
      [b.host, 1],
    ]);
  });
});
