import { expect, it } from 'vitest';
import { emitPromisesDoc } from './emit-promises-doc.ts';

const promise = { number: 1, title: 'Reload drops nothing', done: 'a | b', target: '0 failed', run: async () => [] };

it('lists each promise with its target and last result, and folds the details', () => {
  const last = { number: 1, figure: '0 failed', state: 'pass' as const, note: '', seconds: 7, date: '2026-01-02' };
  const page = emitPromisesDoc([{ ...promise, target: '0 | 1' }], [{ ...last, machine: '2 cores' }]);
  expect(page).toContain('| 1 | Reload drops nothing | 0 \\| 1 | pass |');
  expect(page).toContain('<details><summary>1. Reload drops nothing</summary>\n\n- Trial: a | b.\n- Target: 0 | 1.\n');
  expect(page).toContain('- Measured: 0 failed (2026-01-02, 7 s).\n\n</details>');
  expect(page).toContain('on 2 cores');
});

it('marks a promise without a result, and gives the reason of a failure', () => {
  expect(emitPromisesDoc([promise], [])).toContain('| not yet recorded |');
  const last = { number: 1, figure: '2 failed', state: 'fail' as const, note: 'ECONNRESET', seconds: 7, date: 'd' };
  const page = emitPromisesDoc([promise], [{ ...last, machine: 'm' }]);
  expect(page).toContain('| **fail** |');
  expect(page).toContain('- Measured: 2 failed. ECONNRESET (d, 7 s).');
});

it('lists the soak like the other promises', () => {
  expect(emitPromisesDoc([promise, { ...promise, number: 'soak' }], [])).toContain('\n| soak | Reload drops nothing |');
});
