import { expect, it } from 'vitest';
import { collectGuarantees } from './collect-guarantees.ts';

it('parses matching titles and ignores all others', () => {
  const source = [
    "test('setting port: 0 takes any free port', async () => {});",
    "test.each(['GET', 'PUT'])('field method: %s is served', () => {});",
    "test.each([\n  ['a', 1],\n])(\n  'route GET /health: says \\'healthy\\'',\n  () => {});",
    'test("rule quotes: it\'s taken", () => {});',
    "test.each(requestsThatAnswer(401))('$operationId 401: refuses', () => {});",
    "test('another setting: is not asked for', () => {});",
    "test('anything else', () => {});",
  ].join('\n');
  const subjects = ['setting', 'field', 'route', 'rule', '$operationId'];
  expect(collectGuarantees({ file: 'x.test.ts', source }, subjects)).toEqual([
    { subject: 'setting', name: 'port', text: '0 takes any free port', file: 'x.test.ts' },
    { subject: 'field', name: 'method', text: '%s is served', file: 'x.test.ts', each: "['GET', 'PUT']" },
    {
      ...{ subject: 'route', name: 'GET /health', text: "says 'healthy'", file: 'x.test.ts' },
      each: "[\n  ['a', 1],\n]",
    },
    { subject: 'rule', name: 'quotes', text: "it's taken", file: 'x.test.ts' },
    { subject: '$operationId', name: '401', text: 'refuses', file: 'x.test.ts', each: 'requestsThatAnswer(401)' },
  ]);
});
