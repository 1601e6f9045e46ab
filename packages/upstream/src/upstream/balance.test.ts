import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createChance } from '../../test/create-chance.ts';
import { type BalancedTarget, balance } from './balance.ts';
import type { Admission } from './breaker.ts';
import type { UpstreamRequest } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import type { UpstreamResponse } from './upstream-response.ts';

const response: UpstreamResponse = { status: 200, headers: {}, body: Readable.from([]) };
const unreached = new UpstreamFault('upstream_failed', 'unreached', 'unreachable', false);
const broken = new UpstreamFault('upstream_failed', 'broken', 'broken', true);

interface FakeTarget extends BalancedTarget {
  count: number;
}

type FakeOptions = Partial<BalancedTarget> & { outcome?: UpstreamResponse | Error; admission?: Admission | undefined };

function fake(more: FakeOptions = {}): FakeTarget {
  const { outcome = response, ...rest } = more;
  const admission = 'admission' in more ? more.admission : 'ordinary';
  const target: FakeTarget = {
    count: 0,
    load: 0,
    admissionFor: () => admission,
    probeAtMs: 0,
    async send() {
      target.count++;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    ...rest,
  };
  return target;
}

const send = (targets: readonly BalancedTarget[], request: Partial<UpstreamRequest> = {}, random = () => 0) =>
  balance({ targets }, { clock: () => 0, random })({ method: 'GET', path: '/', ...request });

describe('balance', () => {
  it('picks the less loaded of two random targets', async () => {
    const targets = [fake({ load: 3 }), fake({ load: 1 }), fake({ load: 0 })];
    const values = [0, 0];
    await send(targets, {}, () => values.shift() ?? 0);
    expect(targets.map(({ count }) => count)).toEqual([0, 1, 0]);
  });

  it('distributes requests over equal targets', async () => {
    const targets = [fake(), fake(), fake(), fake()];
    const random = createChance();
    for (let i = 0; i < 4_000; i++) await send(targets, {}, random);
    for (const { count } of targets) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it.each([
    [
      [0, 0, 0],
      [3_000, 1_000, 1_000],
    ],
    // A busy target gets less than its share.
    [
      [2, 0, 0],
      [1_667, 1_667, 1_667],
    ],
  ])('distributes requests by weight, with loads of %j', async (loads, expected) => {
    const targets = loads.map((load) => fake({ load }));
    const weights = new Map<BalancedTarget, number>(targets.map((target, i) => [target, [3, 1, 1][i] as number]));
    const send = balance({ targets }, { clock: () => 0, random: createChance(), weights });
    for (let i = 0; i < 5_000; i++) await send({ method: 'GET', path: '/' });
    targets.forEach(({ count }, i) => {
      expect(Math.abs(count - (expected[i] as number))).toBeLessThan(150);
    });
  });

  it('sends to the targets that the group has when the request comes', async () => {
    const [sick, well] = [fake(), fake({ load: 99 })];
    const group = { targets: [sick, well] };
    const send = balance(group, { clock: () => 0, random: () => 0 });
    group.targets = [well];
    for (let i = 0; i < 10; i++) await send({ method: 'GET', path: '/' });
    expect([sick.count, well.count]).toEqual([0, 10]);
  });

  it('skips targets with open breakers', async () => {
    const [open, closed] = [fake({ admission: undefined }), fake({ load: 99 })];
    for (let i = 0; i < 10; i++) await send([open, closed]);
    expect([open.count, closed.count]).toEqual([0, 10]);
  });

  it('tries a target that may be starting only when the others cannot be reached', async () => {
    const [sound, starting] = [fake({ load: 99 }), fake({ admission: 'spare' })];
    await send([sound, starting]);
    expect([sound.count, starting.count]).toEqual([1, 0]);
    for (const method of ['GET', 'POST']) {
      expect(await send([fake({ outcome: unreached }), fake({ admission: 'spare' })], { method, body: 'x' })).toBe(
        response,
      );
    }
  });

  it('tries each target once while they cannot be reached, for any method', async () => {
    for (const method of ['GET', 'POST']) {
      const targets = [fake({ outcome: unreached }), fake({ outcome: unreached }), fake()];
      expect(await send(targets, { method, body: 'x' })).toBe(response);
    }
    const all = [fake({ outcome: unreached }), fake({ outcome: unreached })];
    await expect(send(all)).rejects.toBe(unreached);
    expect(all.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('tries no second target after bytes were sent, or with a body that cannot be sent again', async () => {
    for (const [outcome, request] of [
      [broken, {}],
      [unreached, { method: 'POST', body: Readable.from(['x']) }],
    ] as const) {
      const targets = [fake({ outcome }), fake({ outcome })];
      await expect(send(targets, request)).rejects.toBe(outcome);
      expect(targets.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    }
  });

  it('prefers other targets for a retry', async () => {
    const targets = [fake(), fake(), fake()];
    const tried = new Set<object>();
    for (let i = 0; i < 3; i++) await send(targets, { tried }, Math.random);
    expect(targets.map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  it('probes with a request that can be sent again to another target', async () => {
    const [down, up] = [fake({ admission: 'probe', outcome: broken }), fake()];
    expect(await send([down, up])).toBe(response);
    expect([down.count, up.count]).toEqual([1, 1]);
    const busy = fake({ admission: 'probe', outcome: { ...response, status: 503 } });
    expect((await send([busy, up])).status).toBe(200);
  });

  it('probes with half of the remaining time', async () => {
    let deadlineMs: number | undefined;
    const probed = fake({
      admission: 'probe',
      send: async (request) => {
        deadlineMs = request.deadlineMs;
        return response;
      },
    });
    await send([probed, fake()], { deadlineMs: 1_000 });
    expect(deadlineMs).toBe(500);
    await send([probed], { deadlineMs: 1_000 });
    expect(deadlineMs).toBe(1_000);
  });

  it('does not probe with a request that may not be repeated while another target is closed', async () => {
    const [probed, sound] = [fake({ admission: 'probe' }), fake({ load: 50 })];
    await send([probed, sound], { method: 'POST', body: 'x' });
    expect([probed.count, sound.count]).toEqual([0, 1]);
    await send([probed], { method: 'POST', body: 'x' });
    expect(probed.count).toBe(1);
  });

  it('is 503 while every breaker is open, until the first probe', async () => {
    const targets = [
      fake({ admission: undefined, probeAtMs: 4_200 }),
      fake({ admission: undefined, probeAtMs: 2_100 }),
    ];
    await expect(send(targets)).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
      headers: { 'Retry-After': '3' },
    });
  });
});
