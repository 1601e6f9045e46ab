import { expect, it } from 'vitest';
import { readSettings } from '../settings.ts';
import { settingsThatWait } from './restart-settings.ts';

const settingsOf = (args: Record<string, unknown>) => readSettings({ env: {}, args });
const started = settingsOf({ port: 1 });

it('names what was edited and what only a start can take, until it is edited back', () => {
  const edited = settingsOf({ port: 2, host: '::', log_level: 'debug', redis_prefix: 'x' });
  expect(settingsThatWait(started, started, edited)).toEqual(['host', 'port']);
  expect(settingsThatWait(started, edited, edited)).toEqual([]);
  expect(settingsThatWait(started, edited, started)).toEqual([]);
});

it('takes another certificate for live, but TLS itself for a matter of the start', () => {
  const pair = (name: string) => settingsOf({ port: 1, tls_certificate_file: name, tls_key_file: name });
  expect(settingsThatWait(pair('a'), pair('a'), pair('b'))).toEqual([]);
  expect(settingsThatWait(started, started, pair('a'))).toEqual(['tls_certificate_file']);
});
