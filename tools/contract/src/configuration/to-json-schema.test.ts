import { expect, it } from 'vitest';
import { toJsonSchema } from './to-json-schema.ts';

it('writes what OpenAPI 3.0 says in the words of JSON Schema', () => {
  const schemas = {
    File: {
      type: 'object',
      additionalProperties: false,
      required: ['list'],
      properties: {
        list: { type: 'array', items: { $ref: '#/components/schemas/Entry' } },
        key: { type: 'string', nullable: true, 'x-secret': true, default: null, example: 'a' },
        mode: { type: 'string', nullable: true, enum: ['a', 'b'] },
        map: { type: 'object', additionalProperties: { type: 'string' } },
      },
      example: { list: [] },
    },
    Entry: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Entry' } } },
    Other: { type: 'string' },
  };
  expect(toJsonSchema('File', schemas)).toEqual({
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^(_|\\$schema$)': {} },
    required: ['list'],
    properties: {
      list: { type: 'array', items: { $ref: '#/definitions/Entry' } },
      key: { type: ['string', 'null'], default: null, examples: ['a'] },
      mode: { type: ['string', 'null'], enum: ['a', 'b', null] },
      map: { type: 'object', additionalProperties: { type: 'string' } },
    },
    examples: [{ list: [] }],
    definitions: { Entry: { type: 'object', properties: { inner: { $ref: '#/definitions/Entry' } } } },
  });
});

it('names a schema that is not there', () => {
  expect(() => toJsonSchema('File', {})).toThrow('no schema File');
});
