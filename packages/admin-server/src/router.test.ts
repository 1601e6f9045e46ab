import { document } from '@rostergate/admin-spec';
import { createDeclaredPaths, httpMethods, type OpenApiDocument } from '@rostergate/server';
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

/** Returns the places of strings whose length or characters have no bound: a database rejects some. */
function unboundedStrings(schema: Schema | undefined, place: string): string[] {
  if (schema === undefined) return [];
  const { type, enum: values, format, pattern, maxLength, properties = {}, items } = schema;
  const isBound = values !== undefined || format === 'date-time' || (pattern !== undefined && maxLength !== undefined);
  return [
    ...(type === 'string' && !isBound ? [place] : []),
    ...Object.entries(properties).flatMap(([name, member]) => unboundedStrings(member, `${place}.${name}`)),
    ...unboundedStrings(items, `${place}[]`),
  ];
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

it('bounds the length and the characters of every string of a request', () => {
  const routes = createDeclaredPaths(document as OpenApiDocument).flatMap((path) => path.routes);
  const found = routes.flatMap(({ operationId, parameters, requestBody }) => [
    ...parameters.flatMap(({ name, schema }) => unboundedStrings(schema as Schema, `${operationId} ${name}`)),
    ...unboundedStrings(requestBody?.content['application/json']?.schema as Schema, operationId),
  ]);
  expect(routes.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});
