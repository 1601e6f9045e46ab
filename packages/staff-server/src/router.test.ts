import { httpMethods } from '@rostergate/server';
import { document } from '@rostergate/staff-spec';
import { describe, expect, it } from 'vitest';
import { createStaffRouter, operations, type StaffHandlers } from './index.ts';

const handlers = Object.fromEntries(
  Object.keys(operations).map((id) => [id, () => ({ status: 200, raw: id, contentType: 'text/plain' })]),
) as unknown as StaffHandlers;
const authenticate = () => null;

it('lists every operation of the contract, and no other', () => {
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId, tags: [tag] = [], 'x-required-scopes': requiredScopes } = operation;
      return [{ operationId, method, path, tag, ...(requiredScopes === undefined ? {} : { requiredScopes }) }];
    }),
  );
  expect(operations).toEqual(Object.fromEntries(rows.map((row) => [row.operationId, row])));
});

describe('the router', () => {
  it('serves every operation under its base path', () => {
    const { routes } = createStaffRouter(handlers, { authenticate });
    expect(routes.map((route) => route.operationId).sort()).toEqual(Object.keys(operations).sort());
    expect(routes.find((route) => route.operationId === 'getStaffMember')?.path).toBe('/v2/staffmember/{staff_key}');
    expect(routes.find((route) => route.operationId === 'getHealth')?.path).toBe('/health');
  });

  it('throws without a handler, without authentication, or with an unknown handler', () => {
    const { getHealth: _, ...fewer } = handlers;
    expect(() => createStaffRouter(fewer as StaffHandlers, { authenticate })).toThrow('getHealth has no handler');
    expect(() => createStaffRouter(handlers)).toThrow('is secured, which requires authenticate');
    const extraHandlers = { nobody: () => ({ status: 200 }) };
    expect(() => createStaffRouter(handlers, { authenticate, extraHandlers })).toThrow(
      'nobody has a handler but is not',
    );
  });

  it('serves exactly the operations of a document that replaces the built-in one', () => {
    const { '/docs': docs, '/login': __, ...others } = document.paths;
    const get = { ...docs?.get, operationId: 'getMore' };
    const changed = { ...document, paths: { ...others, '/more': { get } } };
    const extraHandlers = { getMore: () => ({ status: 200 }) };
    const { routes } = createStaffRouter(handlers, { authenticate, document: changed, extraHandlers });
    const ids = routes.map((route) => route.operationId);
    expect(ids).toContain('getMore');
    expect(ids).not.toContain('getDocs');
    expect(ids).not.toContain('login');
  });
});
