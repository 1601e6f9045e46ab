import { expect, it } from 'vitest';
import { emitErrorsDoc } from './emit-errors-doc.ts';

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
