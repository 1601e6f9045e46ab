import { expect, it } from 'vitest';
import { reachableComponents } from './openapi.ts';

it('finds components referred to through others, from inside others, and in cycles', () => {
  const Pet = { properties: { owner: { $ref: '#/components/schemas/Owner' } } };
  const Owner = { properties: { pets: { items: { $ref: '#/components/schemas/Pet' } }, id: {} } };
  const Limit = { schema: { $ref: '#/components/schemas/a~1b' } };
  const schemas = { Pet, Owner, Unused: {}, 'a/b': {} };
  const document = {
    openapi: '3.0.3',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas, parameters: { Limit } },
  };
  const parts = [{ $ref: '#/components/parameters/Limit' }, { $ref: '#/components/schemas/Owner/properties/id' }];
  expect(reachableComponents(document, parts)).toEqual({ parameters: { Limit }, schemas: { Pet, Owner, 'a/b': {} } });
  expect(reachableComponents(document, [{ $ref: '#/components/schemas/No' }, null, 1])).toEqual({ schemas: {} });
});
