import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HitRuns, HitTimes } from './hit-times.ts';

it.each([
  ['HitTimes', HitTimes],
  ['HitRuns', HitRuns],
])('%s equals a plain list of times through any sequence of pushes and drops', (_name, Log) => {
  const step = fc.oneof(fc.record({ push: fc.nat(20) }), fc.record({ drop: fc.nat(60) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const log = new Log();
      let model: number[] = [];
      let now = 0;
      for (const action of steps) {
        if ('push' in action) {
          now += action.push;
          log.push(now);
          model.push(now);
        } else {
          log.dropExpired(now, action.drop);
          model = model.filter((time) => time + action.drop > now);
        }
        expect(Array.from({ length: log.count }, (_, i) => log.at(i))).toEqual(model);
        const [times, counts] = log.entries();
        expect(times.flatMap((time, i) => new Array(counts?.[i] ?? 1).fill(time))).toEqual(model);
        expect(log.newestMs).toBe(model.at(-1) ?? Number.NEGATIVE_INFINITY);
      }
    }),
  );
});
