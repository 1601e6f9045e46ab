import { expect, test } from 'vitest';
import { judge } from '../../../benchmark/src/figure.ts';
import { judgeInCi } from './judge-in-ci.ts';
import { judgeLateness } from './judge-lateness.ts';

const time = { name: 'slowest decision', unit: 'ms', max: 50 };

test('takes a time of up to four times its bound, and says so', () => {
  expect(judgeInCi(judge(time, 50))).toEqual(judge(time, 50));
  expect(judgeInCi(judge(time, 62, 'proxy'))).toMatchObject({
    state: 'held',
    note: '62.0 ms, which CI takes up to 4 ×',
  });
  expect(judgeInCi(judge(time, 201, 'proxy'))).toEqual(judge(time, 201, 'proxy'));
});

test('holds a count, a ratio, what is to be reached, and what may never be late against its own bound', () => {
  for (const figure of [
    judge({ name: 'false 429', unit: '', max: 2 }, 3),
    judge({ name: 'for twice of it', unit: '×', max: 3.5 }, 4),
    judge({ name: 'fast', unit: 'ms', min: 2 }, 1),
    judge({ name: 'refused after its time', unit: 'ms', max: 0 }, 1),
    judgeLateness(time, -400),
  ]) {
    expect(judgeInCi(figure)).toMatchObject({ state: 'short' });
    expect(judgeInCi(figure)).toEqual(figure);
  }
});
