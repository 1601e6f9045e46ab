import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createGenerationSteps } from '../src/generation.ts';
import { configure, startGateway, withKey } from './start-gateway.ts';

const none = () => undefined;

const manyEndpoints = Array.from({ length: 2_000 }, (_, i) =>
  i % 2 === 0
    ? { path: `/api/coins${i}/{symbol}`, service: 'crypto', requires_auth: true }
    : { path: `/api/echo${i}`, method: 'POST', service: 'echo' },
);

describe('a generation', () => {
  it('is garbage-collected after it is replaced', async () => {
    const { fetch, app } = await startGateway();
    for (const path of ['/api/crypto', '/openapi.json', '/endpoints', '/', '/metrics', '/nowhere']) {
      await (await fetch(path, withKey)).text();
    }
    const before = new WeakRef(app.generation());
    await app.apply(await configure({ endpoints: [] }));
    expect(await isCollected(before)).toBe(true);
  });

  it('leaks nothing when replaced repeatedly', async () => {
    const { fetch, app } = await startGateway();
    const configurations = [await configure({}), await configure({ endpoints: [] })];
    const reload = async (times: number) => {
      for (let i = 0; i < times; i++) {
        await app.apply({ ...(configurations[i % 2] as (typeof configurations)[0]) });
        if (i % 10 === 0) await (await fetch('/api/crypto')).text();
      }
      return heapAfterCollection();
    };
    // The first invalid request loads the validator, which otherwise loads a second after the start: between the readings.
    expect((await fetch('/api/crypto?unknown=1')).status).toBe(400);
    const before = await reload(100);
    const after = await reload(300);
    expect(after - before).toBeLessThan(1_000_000);
  });

  it('is built in steps whose duration does not grow with the number of endpoints', async () => {
    const { app } = await startGateway();
    const [few, many] = [
      await configure({ endpoints: manyEndpoints.slice(0, 20) }),
      await configure({ endpoints: manyEndpoints }),
    ];
    const dependencies = {
      ...app,
      clock: Date.now,
      steadyClock: Date.now,
      health: { getHealth: none, getLiveness: none, getReadiness: none },
    } as unknown as Parameters<typeof createGenerationSteps>[1];
    const stepsOf = (configuration: typeof few) => {
      let steps = 0;
      for (const _ of createGenerationSteps(configuration, dependencies)) steps++;
      return steps;
    };
    const perEndpoint = (stepsOf(many) - stepsOf(few)) / (2_000 - 20);
    // Each endpoint is described, merged, given a handler, declared, checked twice, and routed.
    expect(perEndpoint).toBeGreaterThanOrEqual(7);
  });
});

describe('with 2,000 endpoints', () => {
  it('serves the whole document and list, formatted as by JSON.stringify', async () => {
    const { fetch, app } = await startGateway({ endpoints: manyEndpoints });
    expect(await (await fetch('/openapi.json')).text()).toBe(JSON.stringify(app.generation().document));
    expect(await (await fetch('/endpoints')).json()).toMatchObject({ total: 2_000 });
  });

  it('serves the first, the last and one in the middle', async () => {
    const { fetch } = await startGateway({ endpoints: manyEndpoints });
    for (const i of [0, 1_000, 1_998]) {
      const answer = await fetch(`/api/coins${i}/ETH`, withKey);
      expect(await answer.json()).toMatchObject({ symbol: 'ETH' });
    }
    expect((await fetch('/api/coins0/ETH')).status).toBe(401);
    expect((await fetch('/api/coins0/ETH?more=1', withKey)).status).toBe(400);
  });
});

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  // Lets timers of the last requests end first.
  for (let turn = 0; turn < 50; turn++) {
    await nextTurn();
    collect();
    if (reference.deref() === undefined) return true;
  }
  return false;
}

async function heapAfterCollection(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    collect();
  }
  return process.memoryUsage().heapUsed;
}
