import { type Bound, type Figure, judge } from '../../../benchmark/src/figure.ts';

/** No timer ends this much before its time. */
const earlyMsMax = 50;

/** Holds what came last against its deadline; had all come clearly before, nobody would have met the deadline. */
export function judgeLateness(bound: Bound, lateMs: number, note?: string): Figure {
  const figure = judge(bound, lateMs, note);
  if (lateMs >= -earlyMsMax) return figure;
  return { ...figure, state: 'short', note: `all came before the deadline, the last one for ${note ?? 'some'}` };
}
