import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HitTimes } from './hit-times.ts';

it('equals a plain list of times through any sequence of pushes and drops', () => {
  const step = fc.oneof(fc.record({ push: fc.nat(20) }), fc.record({ drop: fc.nat(60) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const log = new HitTimes();
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
        expect(log.times()).toEqual(model);
        expect(log.newestMs).toBe(model.at(-1) ?? Number.NEGATIVE_INFINITY);
      }
    }),
  );
});
