import { createMemoryHitStore, type Hit, isAdmittedBy, type Verdict } from '@rostergate/access/limits';
import type { Random } from '../../../apps/scheduling/src/demo/random.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';

const windowMs = 60_000;

export const promise = definePromise({
  number: 10,
  title: 'No double burst at a boundary',
  // In-process, because the clock of one process cannot be set back.
  done: 'Random bursts arrive close to every minute boundary, on a clock that sometimes steps back, under one limit or a plan of three windows; the limiter of a server is loaded into the trial itself',
  target: 'no interval of a window with more than N',
  async run({ byScale, say, random }) {
    const sequences = byScale({ ci: 2_000, full: 30_000 });
    let [intervals, exceeded, admitted] = [0, 0, 0];
    for (let i = 0; i < sequences; i++) {
      const limit = random.integer(1, 60);
      const isPlan = i % 2 === 1;
      const times = admittedTimes(limit, isPlan, random);
      admitted += times.length;
      for (const [most, lengthMs] of isPlan ? planLimits(limit) : [[limit, windowMs] as const]) {
        for (let last = most; last < times.length; last++) {
          intervals++;
          if ((times[last] as number) - (times[last - most] as number) < lengthMs) exceeded++;
        }
      }
      if (i % 10_000 === 9_999) say(`${i + 1} sequences`);
    }
    return [
      toFigure({ name: 'intervals over the limit', unit: '', max: 0 }, exceeded),
      toFigure({ name: 'intervals', unit: '', min: sequences }, intervals),
      toFigure({ name: 'requests admitted', unit: '', min: sequences }, admitted),
    ];
  },
});

/** The limits of a plan with three windows, and their lengths. */
const planLimits = (limit: number): readonly (readonly [number, number])[] => [
  [Math.ceil(limit / 2), 1_000],
  [limit, windowMs],
  [3 * limit, 3_600_000],
];

/** Returns when hits of one client were admitted; after the clock steps back, time stops until it has caught up. */
function admittedTimes(limit: number, isPlan: boolean, random: Random): number[] {
  const randomBelow = (end: number) => random.integer(0, end - 1);
  let nowMs = randomBelow(2 * windowMs) + random.next();
  let latestMs = nowMs;
  const store = createMemoryHitStore({ windowMs, clock: () => nowMs });
  const times: number[] = [];
  const limits = planLimits(limit);
  const request: Hit = isPlan
    ? {
        keys: limits.map(([, ms]) => `${ms} somebody`),
        limits: limits.map(([most]) => most),
        windows: limits.map(([, ms]) => ms),
      }
    : { keys: ['somebody'], limits: [limit] };
  for (let burst = 0; burst < 12; burst++) {
    for (let hit = randomBelow(2 * limit); hit >= 0; hit--) {
      latestMs = Math.max(latestMs, nowMs);
      if (isAdmittedBy(store.hit(request) as Verdict)) times.push(latestMs);
      nowMs += random.next() * 2;
    }
    // Steps to just before, at or after the next minute boundary, or anywhere.
    const boundaryMs = Math.ceil(nowMs / windowMs) * windowMs;
    const steps = [boundaryMs - nowMs + randomBelow(7) - 3, randomBelow(windowMs), windowMs, -randomBelow(5_000)];
    nowMs += steps[randomBelow(steps.length)] as number;
  }
  return times;
}
