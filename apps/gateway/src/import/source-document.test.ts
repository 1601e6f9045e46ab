import { expect, it } from 'vitest';
import { documentNameOf } from './source-document.ts';

const titled = (title: unknown) => JSON.stringify({ openapi: '3.0.3', info: { title, version: '1' }, paths: {} });

it.each([
  ['api/petstore.yaml', titled('Other'), 'petstore.openapi.json'],
  ['petstore.openapi.yml', '', 'petstore.openapi.json'],
  [undefined, titled('Pet Store, v2'), 'pet-store-v2.openapi.json'],
  [undefined, titled('../../etc/x'), 'etc-x.openapi.json'],
  [undefined, titled('宠物'), 'imported.openapi.json'],
  [undefined, titled(undefined), 'imported.openapi.json'],
  [undefined, 'no document', 'imported.openapi.json'],
])('names %s after its file, else after its title', (file, text, name) => {
  expect(documentNameOf(file, text)).toBe(name);
});
