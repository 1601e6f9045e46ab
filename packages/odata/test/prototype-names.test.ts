import { describe, expect, test } from 'vitest';
import { bind, type EntityModel, parseQueryOptions, toComparator, toPredicate, toSql } from '../src/index.ts';
import { mapping, people } from './people.ts';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];

describe.each(names)('%s', (name) => {
  test.each([
    `$filter=${name} eq 1`,
    `$filter=Address/${name} eq 1`,
    `$filter=Groups/any(g:g/${name} eq 1)`,
    `$filter=${name}/x eq 1`,
    `$filter=${name}() eq 1`,
    `$filter=${name}(1) eq 1`,
    `$orderby=${name}`,
    `$select=${name}`,
    `$select=Address/${name}`,
    `$expand=${name}`,
    `$expand=Groups($expand=${name})`,
    `$expand=Groups(${name}=1)`,
    `$${name}=1`,
    `$filter=@${name} eq 1`,
    `$filter=cast(Age,${name}) eq 1`,
    `$filter=Age ${name} 1`,
  ])('is rejected when the model has no such name: %s', (query) => {
    expect(() => bind(parseQueryOptions(query), people, 'Person')).toThrow(
      expect.objectContaining({ name: 'ODataError' }),
    );
  });

  test('can name an alias, a range variable, a JSON member or a custom option', () => {
    const query = `$filter=Age eq @${name} and Groups/any(${name}:${name}/Weight eq 1)&@${name}=5&${name}=x`;
    const options = parseQueryOptions(query);
    expect(options.custom).toEqual([[name, 'x']]);
    expect(bind(options, people, 'Person').filter).toMatchObject({
      operands: [{ right: { value: 5 } }, { kind: 'any' }],
    });
    const json = parseQueryOptions(`@p={"${name}":1}`).aliases.get('p');
    expect(json).toMatchObject({ members: [{ name, value: { value: '1' } }] });
  });

  test('is an ordinary property when the model has it, and null when a row does not', () => {
    const model: EntityModel = { types: { T: { properties: Object.fromEntries([[name, { type: 'Edm.Int32' }]]) } } };
    const rows: object[] = [Object.fromEntries([[name, 2]]), {}, Object.fromEntries([[name, 1]])];
    const matching = (filter: string) =>
      rows.filter(toPredicate(bind(parseQueryOptions(`$filter=${filter}`), model, 'T')));
    expect(matching(`${name} eq 2`)).toEqual([rows[0]]);
    expect(matching(`${name} eq null`)).toEqual([rows[1]]);
    const sorted = rows.toSorted(toComparator(bind(parseQueryOptions(`$orderby=${name}`), model, 'T')));
    expect(sorted).toEqual([rows[1], rows[2], rows[0]]);
  });

  test('is not a column of a mapping that lacks it', () => {
    const model: EntityModel = { types: { T: { properties: Object.fromEntries([[name, { type: 'Edm.Int32' }]]) } } };
    const query = bind(parseQueryOptions(`$filter=${name} eq 1`), model, 'T');
    expect(() => toSql(query, 'sqlite', { mapping })).toThrow(TypeError);
  });
});
