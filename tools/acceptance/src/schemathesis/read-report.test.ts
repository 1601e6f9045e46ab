import { expect, it } from 'vitest';
import { readReport, type SchemathesisReport } from './read-report.ts';

const none = { accepted: 0, conflicts: 0, rejected: 0 };

const clean: SchemathesisReport = {
  complete: true,
  stop_reason: 'completed',
  running_time: 12.5,
  operations: { total: 2, selected: 2, tested: 2 },
  test_cases: { generated: 40 },
  failures: [],
  errors: [],
  warnings: { missing_auth: [], validation_mismatch: ['GET /a'] },
  valid_rates: { 'GET /a': { coverage: none, fuzzing: { ...none, accepted: 3 } } },
};

it('finds nothing in a run without failures that reached every operation', () => {
  expect(readReport(clean)).toEqual({ operations: 2, cases: 40, seconds: 12.5, failures: [], neverReached: [] });
});

it.each<[string, Partial<SchemathesisReport>, string]>([
  ['a failed check', { failures: [{ title: 'Server error', operations: ['GET /a'] }] }, 'Server error: GET /a'],
  ['an error of the run', { errors: [{ title: 'Authentication Error', count: 2 }] }, 'Authentication Error (2 times)'],
  ['credentials that open nothing', { warnings: { missing_auth: ['GET /a'] } }, 'missing_auth: GET /a'],
  ['a run cut short', { complete: false, stop_reason: 'interrupted' }, 'the run ended before its end: interrupted'],
  ['what was left out', { operations: { total: 3, selected: 3, tested: 2 } }, '1 operations untested'],
])('reports %s', (_name, part, line) => {
  expect(readReport({ ...clean, ...part }).failures).toEqual([line]);
});

it('names the operations that no request has reached', () => {
  const valid_rates = {
    'GET /a': { fuzzing: { ...none, accepted: 1 } },
    'PUT /b': { fuzzing: none, coverage: none },
    'PUT /c': { fuzzing: { ...none, rejected: 1 } },
    'POST /d': { fuzzing: { ...none, conflicts: 1 } },
  };
  expect(readReport({ ...clean, valid_rates }).neverReached).toEqual(['PUT /b']);
});
