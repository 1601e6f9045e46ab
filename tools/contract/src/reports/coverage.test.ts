import { expect, test } from 'vitest';
import type { LoggedTest } from '../../../workspace/log-tests.ts';
import { findUncovered } from './coverage.ts';
import type { Guarantee } from './guarantees.ts';

const file = 'tools/x.test.ts';
const guarantee: Guarantee = { subject: 'getA', name: '404', text: 'rejects %s at 50%%', file };
const ran: LoggedTest = { file, blocks: ['scheduling'], title: 'getA 404: rejects a key at 50%', state: 'passed' };
const page = { page: 'reports/scheduling.md', server: 'scheduling', guarantees: [guarantee] };
const messageFor = (why: string) => [
  `docs/reports/scheduling.md: "getA 404: rejects %s at 50%%" of ${file} ${why} with scheduling.`,
];

test('accepts a test that ran and passed, with any text in the placeholders of its title', () => {
  expect(findUncovered(page, [ran, { ...ran, title: 'getA 404: rejects\n2 at 50%' }])).toEqual([]);
});

test.each([
  ['is in a file and did not run', []],
  ['was skipped', [{ ...ran, state: 'skipped' }]],
  ['ran only in another file', [{ ...ran, file: 'tools/y.test.ts' }]],
  ['ran only for another operation', [{ ...ran, title: 'getB 404: rejects a key at 50%' }]],
  ['ran only with another server', [{ ...ran, blocks: ['staff-proxy'] }]],
] as const)('names a test that %s', (_, tests) => {
  expect(findUncovered(page, tests)).toEqual(messageFor('did not run'));
});

test('names a test of which one of several did not pass', () => {
  expect(findUncovered(page, [ran, { ...ran, state: 'failed' }])).toEqual(messageFor('did not pass'));
});

test('takes a test of any server for a page about all of them', () => {
  const { guarantees } = page;
  expect(findUncovered({ page: 'contract.md', guarantees }, [{ ...ran, blocks: ['staff-proxy'] }])).toEqual([]);
});
