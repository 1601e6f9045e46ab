import { describe, expect, it } from 'vitest';
import { failedRun, median, notRun, percentile, toFigure } from './figure.ts';

const bound = { name: 'pause', max: 20, unit: 'ms' };

describe('toFigure with a maximum', () => {
  it.each([
    [19.9, 'pass'],
    [20, 'pass'],
    [20.1, 'fail'],
  ])('%s with a limit of 20 is %s', (figure, state) => {
    expect(toFigure(bound, figure)).toEqual({ name: 'pause', target: '≤ 20 ms', max: 20, figure, unit: 'ms', state });
  });
});

describe('toFigure with a minimum', () => {
  it.each([
    [20.1, 'pass'],
    [20, 'pass'],
    [19.9, 'fail'],
  ])('%s with a minimum of 20 is %s', (figure, state) => {
    const least = { name: 'rate', min: 20, unit: '×' };
    expect(toFigure(least, figure)).toEqual({ name: 'rate', target: '≥ 20 ×', figure, unit: '×', state });
  });
});

describe('notRun', () => {
  it('neither passes nor fails', () => {
    expect(notRun(bound, 'no such program')).toMatchObject({ figure: null, state: 'not-run' });
  });
});

describe('failedRun', () => {
  it('fails with the error', () => {
    expect(failedRun('gateway/local', 'no port')).toMatchObject({ figure: null, state: 'fail', note: 'no port' });
  });
});

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
  ])('of %j is %s', (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});

describe('percentile', () => {
  it.each([
    [50, 5],
    [99, 10],
    [99.9, 10],
    [10, 1],
  ])('of %s is the value that so many percent do not exceed', (percent, value) => {
    expect(percentile([10, 1, 9, 2, 8, 3, 7, 4, 6, 5], percent)).toBe(value);
  });
});
