import { expect, test } from 'vitest';
import type { StaffCall } from '../staff-call.ts';
import { readKeyOf } from './read-key.ts';

const call: StaffCall = {
  operation: { operationId: 'getStaffMember', method: 'get', path: '/staffmember/{staff_key}', tag: 'staff' },
  path: { staff_key: 'a' },
  query: '$select=Npi',
  body: undefined,
  companyKey: 'C-1',
  headers: { Prefer: 'maxpagesize=2' },
  accept: 'application/json',
};

test.each<[string, Partial<StaffCall>]>([
  ['operation', { operation: { ...call.operation, operationId: 'listStaffProfiles' } }],
  ['person', { path: { staff_key: 'A' } }],
  ['query', { query: '$select=Npi&includes=Tags' }],
  ['company', { companyKey: 'C-2' }],
  ['Prefer', { headers: { Prefer: 'maxpagesize=3' } }],
  ['Prefer (absent)', { headers: {} }],
  ['Accept', { accept: 'application/json;odata.metadata=minimal' }],
  ['Accept (absent)', { accept: undefined }],
  ['place of a value', { path: { staff_key: 'a","$select=Npi' }, query: '' }],
])('tells reads apart by their %s', (_what, other) => {
  expect(readKeyOf('a', { ...call, ...other })).not.toBe(readKeyOf('a', call));
});

test('tells reads apart by their account', () => {
  expect(readKeyOf('b', call)).not.toBe(readKeyOf('a', call));
});

test('is the same whatever copy the caller has', () => {
  const headers = { ...call.headers, 'If-None-Match': '"7"' };
  expect(readKeyOf('a', { ...call, headers })).toBe(readKeyOf('a', { ...call, headers: { ...call.headers } }));
});
