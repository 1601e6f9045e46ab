import { document } from '@rostergate/admin-spec';
import { httpMethods } from '@rostergate/server';
import { expect, it } from 'vitest';
import { type AdminHandlers, createAdminRouter, operations } from './index.ts';

const handlers = Object.fromEntries(
  Object.keys(operations).map((id) => [id, () => ({ status: 200, raw: id, contentType: 'text/plain' })]),
) as unknown as AdminHandlers;

it('serves every operation of the contract at its path, and no other', () => {
  const declared = Object.entries(document.paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => (item[method] === undefined ? [] : [[method, path, item[method].operationId]])),
  );
  const rows = Object.values(operations).map(({ method, path, operationId }) => [method, path, operationId]);
  expect(rows.sort()).toEqual(declared.sort());
  const { routes } = createAdminRouter(handlers, { authenticate: () => null });
  expect(routes.map(({ method, path, operationId }) => [method, path, operationId]).sort()).toEqual(declared);
});
