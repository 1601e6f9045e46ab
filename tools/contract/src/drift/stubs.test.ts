import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations as adminOperations } from '../../../../packages/admin-server/src/gen/operations.gen.ts';
import { operations as gatewayOperations } from '../../../../packages/gateway-server/src/gen/operations.gen.ts';
import { operations as staffOperations } from '../../../../packages/staff-server/src/gen/operations.gen.ts';
import { listOperations, type OpenApiDocument } from '../spec/openapi-document.ts';
import { bundlePath } from '../workspace.ts';
import { findMapDrift } from './find-map-drift.ts';

type Table = Readonly<Record<string, { readonly method: string; readonly path: string }>>;

describe.each<[string, Table, id: string, path: string]>([
  ['admin', adminOperations, 'listPlans', '/plans'],
  ['gateway', gatewayOperations, 'getHealth', '/health'],
  ['staff', staffOperations, 'getHealth', '/health'],
])('the stubs of the %s contract', (name, table, id, path) => {
  const load = (): OpenApiDocument => JSON.parse(readFileSync(bundlePath(name), 'utf8'));
  const check = (document: OpenApiDocument, operations: Table = table) =>
    findMapDrift(['the contract', operationsWithin(document)], ['the stubs', operationsOfTable(operations)]);

  test('pair spec ⇄ server stubs: their table of operations matches the contract', () => {
    expect(Object.keys(table).length).toBeGreaterThan(10);
    expect(check(load())).toEqual([]);
  });

  test('mutation spec ⇄ server stubs: an operation is added only to the contract', () => {
    const document = load();
    Object.assign(document.paths[path] as object, { put: { operationId: 'setHealth', responses: {} } });
    expect(check(document)).toEqual(['setHealth is in the contract alone']);
  });

  test('mutation spec ⇄ server stubs: an entry of the table gets another method', () => {
    const changed = { ...table, [id]: { ...table[id], method: 'post' } } as Table;
    expect(check(load(), changed)).toEqual([`${id} is GET ${path} in the contract and POST ${path} in the stubs`]);
  });
});

/** Returns the operations with the paths of the document. The stubs add the base path when they are mounted. */
function operationsWithin(document: OpenApiDocument): Map<string, string> {
  const operations = listOperations(document);
  return new Map(
    operations.map(({ operation, method, template }) => [operation.operationId, `${method.toUpperCase()} ${template}`]),
  );
}

function operationsOfTable(table: Table): Map<string, string> {
  return new Map(Object.entries(table).map(([id, { method, path }]) => [id, `${method.toUpperCase()} ${path}`]));
}
