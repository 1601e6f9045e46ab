import { operations } from '@rostergate/staff-server';
import { expect, test } from 'vitest';
import type { StaffKey } from '../keys/proxy-keys.ts';
import { operationsPolicy } from './operations-policy.ts';

const key: StaffKey = { name: 'ops', owner: 't', sha256: '', scopes: [], account: 'a', companyKey: 'C' };
const call = {
  operation: operations.listBadgeIds,
  path: {},
  query: '',
  body: undefined,
  companyKey: 'C',
  headers: {},
  accept: undefined,
};

test('a key with no word of operations may do all that its account may', () => {
  expect(operationsPolicy(call, key)).toBe(call);
});

test('a key does what is not forbidden to it, and is told what is', () => {
  const limited = { ...key, forbidden: new Set(['addStaffTag']) };
  expect(operationsPolicy(call, limited)).toBe(call);
  expect(() => operationsPolicy({ ...call, operation: operations.addStaffTag }, limited)).toThrow(
    expect.objectContaining({
      status: 403,
      code: 'operation_forbidden',
      detail: expect.stringContaining('addStaffTag'),
    }),
  );
});

test('a limited key reaches nothing whose key an upstream might take for a longer path', () => {
  const path = { staff_key: 'P1/payModifier' };
  expect(operationsPolicy({ ...call, path }, key).path).toBe(path);
  for (const staff_key of ['P1/payModifier', 'P1\\payModifier']) {
    expect(() => operationsPolicy({ ...call, path: { staff_key } }, { ...key, forbidden: new Set(['login']) })).toThrow(
      expect.objectContaining({ status: 404, code: 'not_found' }),
    );
  }
});
