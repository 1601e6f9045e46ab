import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';
import { findMetricDrift, parseMetricTable } from './find-metric-drift.ts';

const page = readFileSync(new URL('../../../../ops/README.md', import.meta.url), 'utf8');
const documented = parseMetricTable(page, 'Metrics');
const texts = await Promise.all(
  serverNames.map(async (name) => (await call(name, '/metrics', { headers: { Accept: 'text/plain' } })).text),
);
const told = texts.join('\n');

test('pair metrics ⇄ ops/README.md: the page lists every metric that a server tells, with its labels, and no other', () => {
  expect(documented.size).toBeGreaterThan(20);
  expect(findMetricDrift(documented, told)).toEqual([]);
});

test('mutation metrics ⇄ ops/README.md: a metric is added to a server alone, or renamed there', () => {
  expect(findMetricDrift(documented, `${told}\n# TYPE naps_total counter\n`)).toEqual(['The page lacks naps_total.']);
  expect(findMetricDrift(documented, told.replaceAll('service_info', 'server_info'))).toEqual([
    'The page lacks server_info.',
    'No server tells service_info.',
  ]);
});

test('mutation metrics ⇄ ops/README.md: a row is taken from the page, or gets another label', () => {
  const without = page.replace(/^\| `service_info`.*\n/m, '');
  expect(findMetricDrift(parseMetricTable(without, 'Metrics'), told)).toEqual(['The page lacks service_info.']);
  const renamed = page.replace('`service`, `version`', '`server`, `version`');
  expect(findMetricDrift(parseMetricTable(renamed, 'Metrics'), told)).toEqual([
    'service_info has the labels (service, version), and on the page (server, version).',
  ]);
});
