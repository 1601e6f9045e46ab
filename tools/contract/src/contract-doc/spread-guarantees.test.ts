import { expect, it } from 'vitest';
import type { Operation } from './read-operations.ts';
import { spreadGuarantees } from './spread-guarantees.ts';

const operation = (operationId: string, method: string, ...names: string[]): Operation => ({
  ...{ operationId, method, path: '/x', summary: '', lines: [] },
  listed: names.map((name) => ({ name, description: '' })),
});
const operations = [
  operation('login', 'POST', '404'),
  operation('readIt', 'GET', '404', 'If-Match'),
  operation('writeIt', 'PUT', '404'),
];
const guarantee = { subject: '$operationId', name: '404', text: 'knows none', file: 'x.test.ts' };

it('spreads a title over the operations that its test goes over', () => {
  const subjectsOf = (each: string, name = '404') =>
    spreadGuarantees([{ ...guarantee, name, each }], operations).map(({ subject }) => subject);
  expect(subjectsOf('requestsThatAnswer(404)')).toEqual(['readIt', 'writeIt']);
  expect(subjectsOf('writesThatAnswer(404)')).toEqual(['writeIt']);
  expect(subjectsOf("requestsThatTake('If-Match')", 'If-Match')).toEqual(['readIt']);
  expect(subjectsOf('requests')).toEqual(['readIt', 'writeIt']);
  expect(subjectsOf('writes')).toEqual(['writeIt']);
  expect(subjectsOf('requests.filter(({ isWrite }) => isWrite)')).toEqual(['writeIt']);
});

it('leaves the titles of one operation alone', () => {
  const own = { ...guarantee, subject: 'login' };
  expect(spreadGuarantees([own], operations)).toEqual([own]);
});

it.each(['requestsThatAnswer(403)', 'some', 'requestsThatAnswer(404).slice(1)', undefined])(
  'refuses a title whose test goes over something else: %s',
  (each) => {
    const given = each === undefined ? guarantee : { ...guarantee, each };
    expect(() => spreadGuarantees([given], operations)).toThrow('x.test.ts: "404: knows none" goes over');
  },
);
