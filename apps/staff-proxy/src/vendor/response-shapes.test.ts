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
const shape = createShape(document, schema, 'drop');

test.each<[string, unknown, unknown]>([
  ['leaves out unknown and write-only members', { Name: 'a', Ssn: '1', Pin: '2' }, { Name: 'a' }],
  ['does so at every depth', { Tags: [{ Key: 1, Order: 2 }] }, { Tags: [{ Key: 1 }] }],
  ['turns a number into text', { Name: 5902 }, { Name: '5902' }],
  [
    'turns null into an empty array, unless the array is nullable',
    { Tags: null, Skills: null },
    { Tags: [], Skills: null },
  ],
  ['leaves out null, unless the value is nullable', { IsActive: null, Fte: null, Day: null }, { Fte: null, Day: null }],
  ['removes the offset of a day', { Day: '2019-05-29T22:34:34.46-04:00' }, { Day: '2019-05-29T22:34:34.46' }],
  ['keeps a day without an offset', { Day: '2019-05-29' }, { Day: '2019-05-29' }],
  [
    'adds UTC to a time without an offset',
    { ChangedUtc: '2025-11-20T22:21:42.08' },
    { ChangedUtc: '2025-11-20T22:21:42.08Z' },
  ],
  ['keeps a time in UTC', { ChangedUtc: '2025-11-20T22:21:42Z' }, { ChangedUtc: '2025-11-20T22:21:42Z' }],
  ['keeps a value of any type', { Extra: { a: null } }, { Extra: { a: null } }],
  ['keeps values of another type', { Tags: 'none', Name: true }, { Tags: 'none', Name: true }],
  ['keeps text in place of an object', 'text', 'text'],
  ['sets no prototype', JSON.parse('{"__proto__":{"Name":"x"}}'), {}],
])('%s', (_case, given, expected) => {
  expect(shape(given)).toEqual(expected);
});

test('keeps unknown members at every depth when asked to, and converts the others', () => {
  const keep = createShape(document, schema, 'keep');
  const given = JSON.parse('{"Name":5,"Ssn":"1","Pin":"2","Tags":[{"Key":1,"Order":2}],"__proto__":{"a":1}}');
  const kept = keep(given);
  expect(kept).toEqual({ Name: '5', Ssn: '1', Tags: [{ Key: 1, Order: 2 }] });
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
});

test('rejects an unknown reference at the start', () => {
  expect(() => createShape(document, { $ref: '#/components/schemas/Gone' }, 'drop')).toThrow(
    'no #/components/schemas/Gone',
  );
});
