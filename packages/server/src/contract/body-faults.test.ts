import { describe, expect, it } from 'vitest';
import { createBodyFaults, type Finding } from './body-faults.ts';
import type { OpenApiDocument } from './openapi.ts';

const day = { type: 'string', nullable: true, pattern: '^\\d{4}-\\d\\d-\\d\\d$', example: '2024-01-01' };
const leg = { type: 'object', properties: { from: day, length: { type: 'number' } } };
const trip = {
  type: 'object',
  properties: {
    legs: { type: 'array', items: { $ref: '#/components/schemas/Leg' } },
    'by/road': { type: 'boolean' },
    seenAt: { type: 'string', format: 'date-time' },
  },
  allOf: [{ properties: { title: { type: 'string', nullable: true } } }],
};
const tag = {
  properties: { category: {}, name: {}, key: {}, since: day },
  required: ['since'],
  oneOf: [{ required: ['category', 'name'] }, { required: ['key'] }],
};
const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: {},
  components: { schemas: { Leg: leg, Trip: trip, Tag: tag, One: { ...leg, minProperties: 1, maxProperties: 1 } } },
};
const ask = (schema: string, findings: Partial<Finding>[], body: unknown = {}) =>
  createBodyFaults(document, { $ref: `#/components/schemas/${schema}` })(
    findings.map((finding) => ({ pointer: '', keyword: '', message: 'is wrong', ...finding })),
    body,
  );
const unknown = (pointer: string): Partial<Finding> => ({ pointer, keyword: 'additionalProperties' });

describe('an unknown field', () => {
  it.each([
    ['/leg', { leg: 1 }, '/leg', 'is not a known field. Did you mean legs?'],
    ['/Titel', { Titel: 1 }, '/Titel', 'is not a known field. Did you mean title?'],
    ['/legs/0/form', { legs: [{ form: 1 }] }, '/legs/0/form', 'is not a known field. Did you mean from?'],
    ['/weather', { weather: 1 }, '/weather', 'is not a known field'],
    ['/by/rod', { 'by/rod': 1 }, '/by~1rod', 'is not a known field. Did you mean by/road?'],
  ])('%s is reported with a suggestion', (pointer, body, place, detail) => {
    expect(ask('Trip', [unknown(pointer)], body)).toEqual([{ pointer: place, detail }]);
  });
});

it('suggests names for the first unknown fields only', () => {
  const many = Array.from({ length: 30 }, (_, i) => unknown(`/lega${i % 10}${i}`));
  const suggested = ask('Trip', many).filter(({ detail }) => detail.includes('Did you mean'));
  expect(suggested.length).toBeLessThanOrEqual(10);
  expect(ask('Trip', [...many, unknown('/leg')], { leg: 1 }).at(-1)?.detail).toBe('is not a known field');
});

describe('a choice', () => {
  const required = (name: string): Partial<Finding> => ({ pointer: `/${name}`, keyword: 'required' });
  const choice = { pointer: '', detail: 'must have either category and name, or key, and not both' };

  it('is reported once, instead of the missing fields of each alternative', () => {
    const lacking = ['category', 'name', 'key'].map(required);
    expect(ask('Tag', [...lacking, { keyword: 'oneOf' }])).toEqual([choice]);
  });

  it('does not hide fields that are always required', () => {
    const since = { pointer: '/since', detail: 'is wrong' };
    expect(ask('Tag', [required('since'), required('key'), { keyword: 'oneOf' }])).toEqual([since, choice]);
  });

  it('is not reported for a value that is not an object', () => {
    expect(ask('Tag', [{ keyword: 'oneOf' }, { keyword: 'type', message: 'must be object' }], [])).toEqual([
      { pointer: '', detail: 'must be object' },
    ]);
  });
});

it.each<[string, Partial<Finding>, string]>([
  ['Leg', { pointer: '/from', keyword: 'pattern' }, 'must have the form of 2024-01-01'],
  ['Leg', { pointer: '/from', keyword: 'type', message: 'must be string' }, 'must be string or null'],
  ['Leg', { pointer: '/length', keyword: 'type', message: 'must be number' }, 'must be number'],
  ['Trip', { pointer: '/title', keyword: 'type', message: 'must be string' }, 'must be string or null'],
  [
    'Trip',
    { pointer: '/seenAt', keyword: 'format', message: 'must match format "date-time"' },
    'must match format "date-time", such as 2024-01-01T00:00:00Z',
  ],
  ['One', { keyword: 'minProperties' }, 'must have exactly one field: from or length'],
  ['Trip', { keyword: 'minProperties' }, 'is wrong'],
  ['Trip', { pointer: '/nowhere/at/all', keyword: 'pattern' }, 'is wrong'],
])('describes a fault of %s, %j, as: %s', (schema, finding, detail) => {
  expect(ask(schema, [finding])).toEqual([{ pointer: finding.pointer ?? '', detail }]);
});
