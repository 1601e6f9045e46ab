import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { call } from '../call.ts';
import { pollUntil } from '../poll-until.ts';
import { callAs } from '../staff/callers.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { parsePromql } from './parse-promql.ts';

const read = (path: string) => readFileSync(new URL(`../../../../ops/${path}`, import.meta.url), 'utf8');

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

const dashboard = JSON.parse(read('grafana/rostergate.json')) as Dashboard;
const rules = (parse(read('prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((g) => g.rules);

/** The metrics of a running server of each kind with their labels, after requests of every kind. */
let live: Map<string, Set<string>>;
let server: RunningServer | undefined;
let folder: string | undefined;

const key = 'key-of-the-dashboard';
/** The metrics of usage exist only with its setting. */
const settings = { api_keys: key, usage: {} };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rostergate-ops-'));
  const upstream = { targets: [inject('servers').urls.scheduling], path: '/health' };
  const endpoints = [{ path: '/there', service: 'http', upstream }];
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ ...settings, rate_limit_per_minute: 4 }));
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }));
  server = await startServer({
    name: 'gateway',
    port: 0,
    env: { ROSTERGATE_SETTINGS_FILE: join(folder, 'settings.json') },
  });
  for (const path of ['/metrics', '/there', '/nowhere', '/health', '/auth/status', '/auth/status']) {
    await (await fetch(server.url + path)).text();
  }
  const { url } = server;
  await (await fetch(`${url}/auth/status`, { headers: { 'X-API-Key': key } })).text();
  const isRejected = async () => (await fetch(`${url}/nowhere`)).status === 429;
  await pollUntil(isRejected, { withinMs: 20_000, describe: () => 'no request was rejected' });
  const scheduling = (await call('scheduling', '/metrics', { headers: { Accept: 'text/plain' } })).text;
  live = labelsByName((await readMetrics(url, folder)) + (await readProxyMetrics()) + scheduling);
});
afterAll(async () => {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Reads the metrics once an edit of the settings is counted as a reload. */
async function readMetrics(url: string, at: string): Promise<string> {
  await writeFile(join(at, 'settings.json'), JSON.stringify({ ...settings, rate_limit_per_minute: 1_000 }));
  let text = '';
  const isRead = async () => {
    const response = await fetch(`${url}/metrics`, { headers: { Accept: 'text/plain' } });
    text = await response.text();
    return response.status === 200 && /^config_reloads_total\{outcome="applied"\} [1-9]/m.test(text);
  };
  await pollUntil(isRead, { withinMs: 10_000, describe: () => `the metrics could not be read: ${text}` });
  return text;
}

/** Reads the metrics once the response of the upstream has been validated. */
async function readProxyMetrics(): Promise<string> {
  await callAs('staff-proxy', 'reader', '/v2/staffmember?$top=1');
  let text = '';
  const isChecked = async () => {
    text = (await call('staff-proxy', '/metrics', { headers: { Accept: 'text/plain' } })).text;
    return /^upstream_answers_checked_total\{/m.test(text);
  };
  await pollUntil(isChecked, { withinMs: 10_000, describe: () => 'no response was validated' });
  return text;
}

function labelsByName(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set(['instance', 'job']);
    for (const [, label = ''] of labels.matchAll(/([a-zA-Z_]\w*)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

/** Returns the unknown parts of an expression. */
function faultsOf(expression: string): string[] {
  const { selectors, groupedBy, unknown } = parsePromql(expression);
  const labelsThere = new Set(selectors.flatMap(({ metric }) => [...(live.get(metric) ?? [])]));
  return [
    ...unknown.map((word) => `${word} is not a function, and a metric needs a selector`),
    ...selectors.flatMap(({ metric, labels }) => {
      const there = live.get(metric);
      if (there === undefined) return [`no metric ${metric}`];
      return labels.filter((label) => !there.has(label)).map((label) => `${metric} has no label ${label}`);
    }),
    ...groupedBy.filter((label) => !labelsThere.has(label)).map((label) => `no metric has the label ${label}`),
  ];
}

const labelsNamedIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, label = '']) => label);

describe('the Grafana dashboard', () => {
  const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) =>
    all.map((target) => ({ title, ...target })),
  );

  test.each(targets)('$title: every metric and label exists', ({ expr, legendFormat }) => {
    expect(faultsOf(expr)).toEqual([]);
    const { groupedBy } = parsePromql(expr);
    for (const label of labelsNamedIn(legendFormat, /\{\{(\w+)\}\}/g)) expect(groupedBy).toContain(label);
  });

  test('selects only by its variables', () => {
    for (const { expr, title } of targets) {
      for (const { labels } of parsePromql(expr).selectors) expect(labels, title).toContain('instance');
    }
    const names = dashboard.templating.list.map((variable) => variable.name);
    expect(names).toEqual(['datasource', 'service', 'instance']);
    const used = labelsNamedIn(JSON.stringify(dashboard), /\$\{?([a-z]\w*)/g);
    expect([...new Set(used)].filter((name) => !names.includes(name))).toEqual([]);
  });

  test('shows rate, errors, latency, limits, upstreams, reloads, the event loop and memory', () => {
    const shown = new Set(targets.flatMap(({ expr }) => parsePromql(expr).selectors.map(({ metric }) => metric)));
    for (const metric of [
      'http_request_duration_seconds_bucket',
      'rate_limit_decisions_total',
      'rate_limit_store_up',
      'upstream_requests_total',
      'config_reloads_total',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ])
      expect(shown).toContain(metric);
  });
});

describe('the alerts', () => {
  test.each(rules)(
    '$alert: every metric and label exists, and it has a description',
    ({ expr, annotations, labels }) => {
      expect(faultsOf(expr)).toEqual([]);
      expect(annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
      expect(['warning', 'critical']).toContain(labels.severity);
      const { selectors, groupedBy } = parsePromql(expr);
      const there = groupedBy.length > 0 ? groupedBy : selectors.flatMap(({ metric }) => [...(live.get(metric) ?? [])]);
      for (const label of labelsNamedIn(Object.values(annotations).join(), /\$labels\.(\w+)/g))
        expect(there).toContain(label);
    },
  );
});

test('an unknown metric or label is reported', () => {
  expect(faultsOf('rate(http_requests_total{instance="a"}[5m])')).toEqual(['no metric http_requests_total']);
  expect(faultsOf('sum by (colour) (service_info{path="a"})')).toEqual([
    'service_info has no label path',
    'no metric has the label colour',
  ]);
  expect(faultsOf('rat(service_info{}) + service_info')).toHaveLength(2);
});
