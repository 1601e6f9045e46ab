import { expect, it } from 'vitest';
import { emitErrorsDoc } from './errors-page.ts';
import { emitPairsDoc } from './pairs-page.ts';
import { emitPromisesDoc, emitScenarios } from './promises-page.ts';

it('gives each pair a section with its checks and the changes that they catch', () => {
  const pair = { name: 'a ⇄ b', description: 'one ⇄ another' };
  const about = { name: pair.name, file: 'tools/x.test.ts' };
  const page = emitPairsDoc({
    listed: { pair: [pair] },
    guarantees: [
      { ...about, subject: 'pair', text: 'they agree' },
      { ...about, subject: 'mutation', text: 'a is renamed' },
    ],
  });
  expect(page).toContain(`
## a ⇄ b

One ⇄ another.

[x.test.ts](../tools/x.test.ts)

- **checked**: they agree
- *caught*: a is renamed
`);
});

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

it('lists every code by status, then by name', () => {
  const table = {
    unavailable: { status: 503, kind: 'UnavailableError', title: 'Not now' },
    key_missing: { status: 401, kind: 'AuthenticationError', title: 'A key is needed' },
    key_invalid: { status: 401, kind: 'AuthenticationError', title: 'Not valid' },
  };
  expect(emitErrorsDoc(table).split('|---|---|---|---|\n')[1]).toBe(
    '| 401 | `key_invalid` | `AuthenticationError` | Not valid |\n' +
      '| 401 | `key_missing` | `AuthenticationError` | A key is needed |\n' +
      '| 503 | `unavailable` | `UnavailableError` | Not now |\n',
  );
});

it('the page on promises has the last result of the scenarios, with its seed', () => {
  const result = { scenarios: 3, pairs: 2, requests: 40, failed: 1, starved: 0, seed: 7 };
  const section = emitScenarios({ ...result, date: '2026-01-02', machine: '2 cores' });
  expect(section).toContain('3 scenarios of 2 pairs, 40 requests, 1 with a violation');
  expect(section).toContain('(2026-01-02, seed 7, 2 cores)');
  expect(emitScenarios(undefined)).toContain('Last result: not yet recorded.');
});
