import { expect, it } from 'vitest';
import { emitPromisesDoc } from './emit-promises-doc.ts';

const promise = { number: 1, title: 'Reload drops nothing', done: 'a | b', target: '0 failed', run: async () => [] };

it('gives each promise a row with its target and its last result', () => {
  const last = { number: 1, figure: '0 failed', state: 'pass' as const, note: '', seconds: 7, date: '2026-01-02' };
  const page = emitPromisesDoc([promise], [{ ...last, machine: '2 cores' }]);
  expect(page).toContain('| 1 | Reload drops nothing | a \\| b | 0 failed | pass: 0 failed | 2026-01-02, 7 s |');
  expect(page).toContain('on 2 cores');
});

it('shows missing records, and why a promise failed', () => {
  expect(emitPromisesDoc([promise], [])).toContain('| not yet recorded |');
  const last = { number: 1, figure: '2 failed', state: 'fail' as const, note: 'ECONNRESET', seconds: 7, date: 'd' };
  expect(emitPromisesDoc([promise], [{ ...last, machine: 'm' }])).toContain('| fail: 2 failed. ECONNRESET |');
});

it('gives the soak a row', () => {
  expect(emitPromisesDoc([promise, { ...promise, number: 'soak' }], [])).toContain('\n| soak | Reload drops nothing |');
});
