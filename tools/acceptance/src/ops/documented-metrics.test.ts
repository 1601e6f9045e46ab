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
const exported = texts.join('\n');

test('pair metrics ⇄ ops/README.md: the page lists exactly the metrics of the servers, with their labels', () => {
  expect(documented.size).toBeGreaterThan(20);
  expect(findMetricDrift(documented, exported)).toEqual([]);
});

test('mutation metrics ⇄ ops/README.md: a metric is added or renamed only in a server', () => {
  expect(findMetricDrift(documented, `${exported}\n# TYPE naps_total counter\n`)).toEqual([
    'The page lacks naps_total.',
  ]);
  expect(findMetricDrift(documented, exported.replaceAll('service_info', 'server_info'))).toEqual([
    'The page lacks server_info.',
    'No server exports service_info.',
  ]);
});

test('mutation metrics ⇄ ops/README.md: a row of the page is removed or gets another label', () => {
  const without = page.replace(/^\| `service_info`.*\n/m, '');
  expect(findMetricDrift(parseMetricTable(without, 'Metrics'), exported)).toEqual(['The page lacks service_info.']);
  const renamed = page.replace('`service`, `version`', '`server`, `version`');
  expect(findMetricDrift(parseMetricTable(renamed, 'Metrics'), exported)).toEqual([
    'service_info has the labels (service, version), but on the page (server, version).',
  ]);
});
