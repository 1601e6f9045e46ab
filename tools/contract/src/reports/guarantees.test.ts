import { expect, it, test } from 'vitest';
import { readGatewaySources } from './gateway-report.ts';
import { collectGuarantees, findGaps, spreadGuarantees } from './guarantees.ts';
import type { Operation } from './read-operations.ts';

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

const { listed, guarantees } = await readGatewaySources();

test('pair documented things ⇄ acceptance tests: each setting, field, route and command has a test, and each test a documented thing', () => {
  expect(guarantees.length).toBeGreaterThan(50);
  expect(findGaps({ listed, guarantees })).toEqual([]);
});

test('mutation documented things ⇄ acceptance tests: a setting is added to the server only', () => {
  const more = { ...listed, setting: [...(listed.setting ?? []), { name: 'mood', description: 'How it feels.' }] };
  expect(findGaps({ listed: more, guarantees })).toEqual(['No acceptance test is called "setting mood: …".']);
});

test('mutation documented things ⇄ acceptance tests: a route is renamed in the server only, or its tests are removed', () => {
  const routes = listed.route?.map((route) => (route.name === 'GET /health' ? { ...route, name: 'GET /up' } : route));
  expect(findGaps({ listed: { ...listed, route: routes ?? [] }, guarantees })).toEqual([
    'No acceptance test is called "route GET /up: …".',
    'A test is called "route GET /health", which does not exist.',
  ]);
  const less = guarantees.filter(({ name }) => name !== 'GET /health');
  expect(findGaps({ listed, guarantees: less })).toEqual(['No acceptance test is called "route GET /health: …".']);
});

const operation = (operationId: string, method: string, ...names: string[]): Operation => ({
  ...{ operationId, method, path: '/x', summary: '', statements: [] },
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

it('does not change the titles of one operation', () => {
  const own = { ...guarantee, subject: 'login' };
  expect(spreadGuarantees([own], operations)).toEqual([own]);
});

it.each(['requestsThatAnswer(403)', 'some', 'requestsThatAnswer(404).slice(1)', undefined])(
  'rejects a title whose test covers something else: %s',
  (each) => {
    const given = each === undefined ? guarantee : { ...guarantee, each };
    expect(() => spreadGuarantees([given], operations)).toThrow('x.test.ts: "404: knows none" goes over');
  },
);
