import { expect, test } from 'vitest';
import { readGatewaySources } from '../gateway-doc/generate-gateway-doc.ts';
import { findGaps } from './find-gaps.ts';

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
