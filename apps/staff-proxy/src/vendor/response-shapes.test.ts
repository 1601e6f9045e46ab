import { expect, test } from 'vitest';
import { createShape, type SchemaObject } from './response-shapes.ts';

const document = {
  openapi: '3.0.3',
  info: { title: 't', version: '1' },
  paths: {},
  components: { schemas: { Day: { type: 'string', nullable: true, pattern: '^\\d{4}-\\d\\d-\\d\\d(T[\\d:.]+)?$' } } },
};
const schema: SchemaObject = {
  type: 'object',
  properties: {
    Name: { type: 'string' },
    Pin: { type: 'string', writeOnly: true },
    Day: { $ref: '#/components/schemas/Day' },
    ChangedUtc: { type: 'string', format: 'date-time' },
    IsActive: { type: 'boolean' },
    Fte: { type: 'number', nullable: true },
    Tags: { type: 'array', items: { type: 'object', properties: { Key: { type: 'integer' } } } },
    Skills: { type: 'array', nullable: true, items: {} },
    Extra: { type: 'object' },
  },
};
const shape = createShape(document, schema);

test.each<[string, unknown, unknown]>([
  [
    'members that nobody knows are left out, and those that are only written',
    { Name: 'a', Ssn: '1', Pin: '2' },
    { Name: 'a' },
  ],
  ['so are they at every depth', { Tags: [{ Key: 1, Order: 2 }] }, { Tags: [{ Key: 1 }] }],
  ['a number is text where text is said', { Name: 5902 }, { Name: '5902' }],
  ['no array is an empty one, unless null is said', { Tags: null, Skills: null }, { Tags: [], Skills: null }],
  ['null is nothing where there is no null', { IsActive: null, Fte: null, Day: null }, { Fte: null, Day: null }],
  ['a day has no offset', { Day: '2019-05-29T22:34:34.46-04:00' }, { Day: '2019-05-29T22:34:34.46' }],
  ['a day is else as it was', { Day: '2019-05-29' }, { Day: '2019-05-29' }],
  ['a moment is in UTC', { ChangedUtc: '2025-11-20T22:21:42.08' }, { ChangedUtc: '2025-11-20T22:21:42.08Z' }],
  [
    'a moment that says so is as it was',
    { ChangedUtc: '2025-11-20T22:21:42Z' },
    { ChangedUtc: '2025-11-20T22:21:42Z' },
  ],
  ['what may hold anything is as it was', { Extra: { a: null } }, { Extra: { a: null } }],
  ['what is another thing stays, to be found', { Tags: 'none', Name: true }, { Tags: 'none', Name: true }],
  ['text is no object', 'text', 'text'],
  ['no prototype is set', JSON.parse('{"__proto__":{"Name":"x"}}'), {}],
])('%s', (_case, given, expected) => {
  expect(shape(given)).toEqual(expected);
});

test('a name that the contract does not have is told at the start', () => {
  expect(() => createShape(document, { $ref: '#/components/schemas/Gone' })).toThrow('no #/components/schemas/Gone');
});
