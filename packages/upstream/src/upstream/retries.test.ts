import { expect, it } from 'vitest';
import { createManualTime } from '../../test/manual-time.ts';
import { createRetryBudget } from './retries.ts';

it('allows retries for a share of the requests, in addition to its reserve', () => {
  const { clock } = createManualTime();
  const budget = createRetryBudget({ clock, perRequest: 0.2, reserve: 10 });
  let retries = 0;
  for (let i = 0; i < 1_000; i++) {
    budget.earn();
    for (let again = 0; again < 3 && budget.spend(); again++) retries++;
  }
  expect(retries).toBeLessThanOrEqual(1_000 * 0.2 + 10);
  expect(retries).toBeGreaterThan(190);
});

it('refills over time, up to its reserve', () => {
  const { clock, pass } = createManualTime();
  const budget = createRetryBudget({ clock, reserve: 2, perSecond: 0.5 });
  const spendAll = () => {
    let spent = 0;
    while (budget.spend()) spent++;
    return spent;
  };
  expect(spendAll()).toBe(2);
  pass(1_999);
  expect(spendAll()).toBe(0);
  pass(1);
  expect(spendAll()).toBe(1);
  pass(3_600_000);
  expect(spendAll()).toBe(2);
});
