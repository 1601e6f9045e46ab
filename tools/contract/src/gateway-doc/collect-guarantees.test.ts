import { expect, it } from 'vitest';
import { collectGuarantees } from './collect-guarantees.ts';

it('reads what each title promises, and passes over every other one', () => {
  const source = [
    "test('setting port: 0 takes any free port', async () => {});",
    "test.each(['GET', 'PUT'])('field method: %s is served', () => {});",
    "test.each([\n  ['a', 1],\n])(\n  'route GET /health: says \\'healthy\\'',\n  () => {});",
    "test('anything else', () => {});",
  ].join('\n');
  expect(collectGuarantees('x.test.ts', source)).toEqual([
    { subject: 'setting', name: 'port', text: '0 takes any free port', file: 'x.test.ts' },
    { subject: 'field', name: 'method', text: '%s is served', file: 'x.test.ts' },
    { subject: 'route', name: 'GET /health', text: "says 'healthy'", file: 'x.test.ts' },
  ]);
});
