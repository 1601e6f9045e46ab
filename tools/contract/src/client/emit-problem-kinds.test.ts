import { expect, it } from 'vitest';
import { emitProblemKinds, emitProblemLookup } from './emit-problem-kinds.ts';

const table = {
  upstream_timeout: { status: 504, kind: 'UpstreamError' },
  key_missing: { status: 401, kind: 'AuthenticationError' },
  upstream_failed: { status: 502, kind: 'UpstreamError' },
  key_invalid: { status: 401, kind: 'AuthenticationError' },
};

it('writes one class for each kind, by status', () => {
  expect(emitProblemKinds(table).match(/.*\nexport class \w+/g)).toEqual([
    '/** The kind of 401. */\nexport class AuthenticationError',
    '/** The kind of 502 and 504. */\nexport class UpstreamError',
  ]);
});

it('finds the kind of each status', () => {
  expect(emitProblemLookup(table).match(/\[\d+, .*\]/g)).toEqual([
    "[401, 'AuthenticationError', AuthenticationError]",
    "[502, 'UpstreamError', UpstreamError]",
    "[504, 'UpstreamError', UpstreamError]",
  ]);
});

it('refuses a status with two kinds, which an answer without a kind could not be told by', () => {
  const mixed = { ...table, odd: { status: 401, kind: 'OddError' } };
  expect(() => emitProblemLookup(mixed)).toThrow('Status 401 has two kinds');
});
