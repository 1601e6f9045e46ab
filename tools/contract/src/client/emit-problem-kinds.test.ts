import { expect, it } from 'vitest';
import { emitProblemKinds, emitProblemReader } from './emit-problem-kinds.ts';

const table = {
  upstream_timeout: { status: 504, kind: 'UpstreamError' },
  key_missing: { status: 401, kind: 'AuthenticationError' },
  upstream_failed: { status: 502, kind: 'UpstreamError' },
  key_invalid: { status: 401, kind: 'AuthenticationError' },
};

const template = "import { ApiProblem, type ApiProblemFields } from './api-problem.ts';\nconst kinds = [];\n";

it('writes one class per kind, by status', () => {
  expect(emitProblemKinds(table).match(/.*\nexport class \w+/g)).toEqual([
    '/** Error of 401. */\nexport class AuthenticationError',
    '/** Error of 502 and 504. */\nexport class UpstreamError',
  ]);
});

it('maps each status to its kind', () => {
  expect(emitProblemReader(template, table).match(/\[\d+, .*\]/g)).toEqual([
    "[401, 'AuthenticationError', AuthenticationError]",
    "[502, 'UpstreamError', UpstreamError]",
    "[504, 'UpstreamError', UpstreamError]",
  ]);
});

it('imports each kind once', () => {
  expect(emitProblemReader(template, table)).toContain(
    "import { ApiProblem, AuthenticationError, UpstreamError, type ApiProblemFields } from './api-problem.ts';",
  );
});

it('rejects a status with two kinds', () => {
  const mixed = { ...table, odd: { status: 401, kind: 'OddError' } };
  expect(() => emitProblemReader(template, mixed)).toThrow('Status 401 has two kinds');
});
