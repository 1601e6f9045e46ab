import { describe, expect, it } from 'vitest';
import { brokenOff, judge, median, notRun, percentile } from './figure.ts';

const bound = { name: 'pause', max: 20, unit: 'ms' };

describe('judge', () => {
  it.each([
    [19.9, 'held'],
    [20, 'held'],
    [20.1, 'short'],
  ])('calls %s beside a bound of 20 %s', (figure, state) => {
    expect(judge(bound, figure)).toEqual({ name: 'pause', target: '≤ 20 ms', max: 20, figure, unit: 'ms', state });
  });
});

describe('judge of a least', () => {
  it.each([
    [20.1, 'held'],
    [20, 'held'],
    [19.9, 'short'],
  ])('calls %s beside one of 20 %s', (figure, state) => {
    const least = { name: 'rate', min: 20, unit: '×' };
    expect(judge(least, figure)).toEqual({ name: 'rate', target: '≥ 20 ×', figure, unit: '×', state });
  });
});

describe('notRun', () => {
  it('is neither held nor short', () => {
    expect(notRun(bound, 'no such program')).toMatchObject({ figure: null, state: 'not-run' });
  });
});

describe('brokenOff', () => {
  it('is short, with what ended it', () => {
    expect(brokenOff('gateway/local', 'no port')).toMatchObject({ figure: null, state: 'short', note: 'no port' });
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
  ])('of %s is the value that so many are not above', (percent, value) => {
    expect(percentile([10, 1, 9, 2, 8, 3, 7, 4, 6, 5], percent)).toBe(value);
  });
});
