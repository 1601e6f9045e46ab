import { type Bound, type Figure, toFigure } from '../../../benchmark/src/figure.ts';

const marginInCi = 4;
/** Timers fire at most this early. */
const earlyMsMax = 50;

/** Whether a figure fails because its time is above the limit. */
export function isLate({ unit, max, figure, state }: Figure): boolean {
  return state === 'fail' && unit === 'ms' && max !== undefined && figure !== null && figure > max;
}

/**
 * Allows timings up to 4× their limit, because CI shares its machine. Counts, ratios and limits of 0 stay exact.
 */
export function allowLateInCi(figure: Figure): Figure {
  const { unit, max = 0, figure: measured } = figure;
  if (!isLate(figure) || measured === null || measured > max * marginInCi) return figure;
  return { ...figure, state: 'pass', note: `${measured.toPrecision(3)} ${unit}, CI allows ${marginInCi} × the limit` };
}

/** Returns the figure of the latest event. It fails when all events came clearly before the deadline: none met it. */
export function toLatenessFigure(bound: Bound, lateMs: number, note?: string): Figure {
  const figure = toFigure(bound, lateMs, note);
  if (lateMs >= -earlyMsMax) return figure;
  return { ...figure, state: 'fail', note: `all came before the deadline; the last: ${note ?? 'unnamed'}` };
}
