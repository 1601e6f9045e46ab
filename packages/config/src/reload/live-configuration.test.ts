import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createReloadMetrics, pendingSettings, type RestartRequired } from './live-configuration.ts';

interface Settings {
  readonly host: string;
  readonly port: number;
  readonly tls_certificate_file: string;
  readonly log_level: string;
}

const restartRequired: RestartRequired<Settings> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
};
const settingsOf = (more: Partial<Settings> = {}): Settings => {
  return { host: '127.0.0.1', port: 1, tls_certificate_file: '', log_level: 'info', ...more };
};
const pendingOf = (started: Settings, before: Settings, now: Settings) =>
  pendingSettings(restartRequired, { started, before, now });
const started = settingsOf();

it('returns edited restart-required settings until they are edited back', () => {
  const edited = settingsOf({ port: 2, host: '::', log_level: 'debug' });
  expect(pendingOf(started, started, edited)).toEqual(['host', 'port']);
  expect(pendingOf(started, edited, edited)).toEqual([]);
  expect(pendingOf(started, edited, started)).toEqual([]);
});

it('compares the part that needs a restart: a new certificate is live, switching TLS on is not', () => {
  const pair = (name: string) => settingsOf({ tls_certificate_file: name });
  expect(pendingOf(pair('a'), pair('a'), pair('b'))).toEqual([]);
  expect(pendingOf(started, started, pair('a'))).toEqual(['tls_certificate_file']);
});

describe('createReloadMetrics', () => {
  it('counts outcomes, and keeps the time of the last valid one', async () => {
    const registry = new Registry();
    let ms = 5_000;
    const count = createReloadMetrics(registry, () => ms);
    ms = 9_000;
    for (const outcome of ['applied', 'rejected', 'rejected'] as const)
      count({ outcome, trigger: 'edit', durationMs: 1 });
    ms = 10_000;
    count({ outcome: 'rejected', trigger: 'edit', durationMs: 1 });
    const text = await registry.metrics();
    expect(text).toContain('config_reloads_total{outcome="applied"} 1');
    expect(text).toContain('config_reloads_total{outcome="rejected"} 3');
    expect(text).toContain('config_reloads_total{outcome="unchanged"} 0');
    expect(text).toContain('config_last_reload_success_timestamp_seconds 9');
  });
});
