import { operations } from '@rostergate/staff-server';
import { describe, expect, test } from 'vitest';
import { createCompanyPolicy, plainPathPolicy } from './forward-handlers.ts';
import type { StaffKey } from './keys/proxy-keys.ts';

const caller: StaffKey = { name: 'ops', owner: 't', sha256: '', scopes: [], account: 'a', companyKey: 'C 1&x' };
const policy = createCompanyPolicy((id) => id === 'listStaffMembers');

function queryAfter(query: string, operationId = 'listStaffMembers'): string {
  const operation = { operationId, method: 'get', path: '/staffmember', tag: 'staff' } as const;
  const call = { operation, path: {}, query, body: undefined, companyKey: 'C-1', headers: {}, accept: undefined };
  return policy(call, caller).query;
}

describe('the company of a key', () => {
  test.each([
    ['an empty query', '', 'companyKey=C%201%26x'],
    ['a query without it', "$filter=A eq 'x%20y'", "$filter=A eq 'x%20y'&companyKey=C%201%26x"],
    ['a mention of it in another value', '$filter=companyKey', '$filter=companyKey&companyKey=C%201%26x'],
  ])('is filled into %s', (_case, query, expected) => {
    expect(queryAfter(query)).toBe(expected);
  });

  test('is not added to operations that take none', () => {
    expect(queryAfter('$select=Npi', 'getStaffMember')).toBe('$select=Npi');
  });

  test.each(['companyKey=C%201%26x&$top=1', '$top=1&company%4bey=C+1%26x'])(
    'may be named by the caller in the spelling %s',
    (query) => {
      expect(queryAfter(query)).toBe(query);
    },
  );

  test.each([
    'companyKey=other',
    'companyKey=',
    'company%4Bey=other',
    'CompanyKey=other',
    'companyKey=C%201%26x&companyKey=other',
    `companyKey=C%201%26x${'&'.repeat(2_000)}companyKey=other`,
  ])('is not replaced by %.60s', (query) => {
    const rejection = expect.objectContaining({ status: 403, code: 'company_forbidden' });
    expect(() => queryAfter(query)).toThrow(rejection);
    expect(() => queryAfter(query, 'getStaffMember')).toThrow(rejection);
  });
});

describe('the plain path policy', () => {
  const call = {
    operation: operations.listBadgeIds,
    path: { staff_key: 'P1' },
    query: '',
    body: undefined,
    companyKey: 'C 1&x',
    headers: {},
    accept: undefined,
  };

  test('lets an unlimited key use any path', () => {
    const slashed = { ...call, path: { staff_key: 'P1/payModifier' } };
    expect(plainPathPolicy(slashed, caller)).toBe(slashed);
  });

  test('rejects path values with a slash for a limited key', () => {
    const limited = { ...caller, forbidden: new Set(['login']) };
    expect(plainPathPolicy(call, limited)).toBe(call);
    for (const staff_key of ['P1/payModifier', 'P1\\payModifier']) {
      expect(() => plainPathPolicy({ ...call, path: { staff_key } }, limited)).toThrow(
        expect.objectContaining({ status: 404, code: 'not_found' }),
      );
    }
  });
});
