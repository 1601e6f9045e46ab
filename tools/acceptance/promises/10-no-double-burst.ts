import { createMemoryHitStore, type Verdict } from '@rostergate/access/limits';
import type { Random } from '../../../apps/scheduling/src/demo/random.ts';
import { judge } from '../../benchmark/src/figure.ts';
import { definePromise } from '../src/promises/define-promise.ts';

const windowMs = 60_000;

export const promise = definePromise({
  number: 10,
  title: 'No double burst at a boundary',
  // The clock of a process cannot be set back for it alone.
  done: 'random bursts close to every boundary of a minute, by a clock that now and then is set back: at what counts in a server, loaded into the trial itself',
  target: 'no 60-second interval with more than N',
  async run({ often, say, random }) {
    const sequences = often({ ci: 2_000, full: 30_000 });
    let [intervals, exceeded, admitted] = [0, 0, 0];
    for (let i = 0; i < sequences; i++) {
      const limit = random.integer(1, 60);
      const times = admittedTimes(limit, random);
      admitted += times.length;
      for (let last = limit; last < times.length; last++) {
        intervals++;
        if ((times[last] as number) - (times[last - limit] as number) < windowMs) exceeded++;
      }
      if (i % 10_000 === 9_999) say(`${i + 1} sequences`);
    }
    return [
      judge({ name: 'intervals with more than N', unit: '', max: 0 }, exceeded),
      judge({ name: 'intervals', unit: '', min: sequences }, intervals),
      judge({ name: 'admitted', unit: '', min: sequences }, admitted),
    ];
  },
});

/** When hits of one key were admitted: where the clock is set back, time stands still until it has caught up. */
function admittedTimes(limit: number, random: Random): number[] {
  const randomBelow = (end: number) => random.integer(0, end - 1);
  let nowMs = randomBelow(2 * windowMs) + random.next();
  let latestMs = nowMs;
  const store = createMemoryHitStore({ windowMs, clock: () => nowMs });
  const times: number[] = [];
  for (let burst = 0; burst < 12; burst++) {
    for (let hit = randomBelow(2 * limit); hit >= 0; hit--) {
      latestMs = Math.max(latestMs, nowMs);
      const [state] = store.hit({ keys: ['somebody'], limits: [limit] }) as Verdict;
      if (state?.isAdmitted) times.push(latestMs);
      nowMs += random.next() * 2;
    }
    // To just before, at or after the next boundary of a minute; else anywhere.
    const boundaryMs = Math.ceil(nowMs / windowMs) * windowMs;
    const steps = [boundaryMs - nowMs + randomBelow(7) - 3, randomBelow(windowMs), windowMs, -randomBelow(5_000)];
    nowMs += steps[randomBelow(steps.length)] as number;
  }
  return times;
}
