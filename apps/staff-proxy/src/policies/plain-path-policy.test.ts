import { operations } from '@rostergate/staff-server';
import { expect, test } from 'vitest';
import type { StaffKey } from '../keys/proxy-keys.ts';
import { plainPathPolicy } from './plain-path-policy.ts';

const key: StaffKey = { name: 'ops', owner: 't', sha256: '', scopes: [], account: 'a', companyKey: 'C' };
const call = {
  operation: operations.listBadgeIds,
  path: { staff_key: 'P1' },
  query: '',
  body: undefined,
  companyKey: 'C',
  headers: {},
  accept: undefined,
};

test('a key that may do all that its account may reaches any path', () => {
  const slashed = { ...call, path: { staff_key: 'P1/payModifier' } };
  expect(plainPathPolicy(slashed, key)).toBe(slashed);
});

test('a limited key reaches nothing whose key an upstream might take for a longer path', () => {
  const limited = { ...key, forbidden: new Set(['login']) };
  expect(plainPathPolicy(call, limited)).toBe(call);
  for (const staff_key of ['P1/payModifier', 'P1\\payModifier']) {
    expect(() => plainPathPolicy({ ...call, path: { staff_key } }, limited)).toThrow(
      expect.objectContaining({ status: 404, code: 'not_found' }),
    );
  }
});
