import { expect, test } from 'vitest';
import { readGatewaySources } from '../gateway-doc/generate-gateway-doc.ts';
import { findGaps } from './find-gaps.ts';

const { listed, guarantees } = await readGatewaySources();

test('pair what is listed ⇄ acceptance tests: each setting, field, route and command has one, and none is about another', () => {
  expect(guarantees.length).toBeGreaterThan(50);
  expect(findGaps({ listed, guarantees })).toEqual([]);
});

test('mutation what is listed ⇄ acceptance tests: something is added to the server alone', () => {
  const more = { ...listed, setting: [...(listed.setting ?? []), { name: 'mood', description: 'How it feels.' }] };
  expect(findGaps({ listed: more, guarantees })).toEqual(['No acceptance test is called "setting mood: …".']);
});

test('mutation what is listed ⇄ acceptance tests: a route is renamed in the server alone, or its tests are taken away', () => {
  const routes = listed.route?.map((route) => (route.name === 'GET /health' ? { ...route, name: 'GET /up' } : route));
  expect(findGaps({ listed: { ...listed, route: routes ?? [] }, guarantees })).toEqual([
    'No acceptance test is called "route GET /up: …".',
    'A test is called "route GET /health", which does not exist.',
  ]);
  const less = guarantees.filter(({ name }) => name !== 'GET /health');
  expect(findGaps({ listed, guarantees: less })).toEqual(['No acceptance test is called "route GET /health: …".']);
});
