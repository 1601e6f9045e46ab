import { expect, test } from 'vitest';
import { toFigure } from '../../../benchmark/src/figure.ts';
import { allowLateInCi, toLatenessFigure } from './time-figures.ts';

const time = { name: 'slowest decision', unit: 'ms', max: 50 };

test('CI allows timings up to 4× the limit and notes it', () => {
  expect(allowLateInCi(toFigure(time, 50))).toEqual(toFigure(time, 50));
  expect(allowLateInCi(toFigure(time, 62, 'proxy'))).toMatchObject({
    state: 'pass',
    note: '62.0 ms, CI allows 4 × the limit',
  });
  expect(allowLateInCi(toFigure(time, 201, 'proxy'))).toEqual(toFigure(time, 201, 'proxy'));
});

test('CI allows nothing above the limit of a count, a ratio, a minimum or a limit of 0, and no early end', () => {
  for (const figure of [
    toFigure({ name: 'false 429', unit: '', max: 2 }, 3),
    toFigure({ name: 'growth per doubled input', unit: '×', max: 3.5 }, 4),
    toFigure({ name: 'fast', unit: 'ms', min: 2 }, 1),
    toFigure({ name: 'rejected after the advertised time', unit: 'ms', max: 0 }, 1),
    toLatenessFigure(time, -400),
  ]) {
    expect(allowLateInCi(figure)).toMatchObject({ state: 'fail' });
    expect(allowLateInCi(figure)).toEqual(figure);
  }
});
