import type { Figure } from '../../../benchmark/src/figure.ts';

/** So many times what it may be is no noise any more. */
const marginInCi = 4;

/** Whether a figure is a time above its bound. Short for another reason, it is not above it. */
export function isLate({ unit, max, figure, state }: Figure): boolean {
  return state === 'short' && unit === 'ms' && max !== undefined && figure !== null && figure > max;
}

/**
 * Holds a figure of time against a multiple of what it may be: whoever runs CI shares a machine, and a merge should wait
 * for a fault, not for a neighbour. What is counted, and how one figure stands to another, is held against its own bound;
 * so is all that may not be at all.
 */
export function judgeInCi(figure: Figure): Figure {
  const { unit, max = 0, figure: measured } = figure;
  if (!isLate(figure) || measured === null || measured > max * marginInCi) return figure;
  return { ...figure, state: 'held', note: `${measured.toPrecision(3)} ${unit}, which CI takes up to ${marginInCi} ×` };
}
