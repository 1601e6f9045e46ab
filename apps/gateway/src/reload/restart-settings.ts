import type { Settings } from '@rostergate/endpoints';

/** Settings that a process takes once, when it starts. Everything else is live. */
export const restartSettings = [
  'host',
  'port',
  'workers',
  'redis_url',
  'redis_prefix',
  'tls_certificate_file',
  'tls_key_file',
] as const satisfies readonly (keyof Settings)[];

export type RestartSetting = (typeof restartSettings)[number];

/** The settings that were edited just now and wait for the next start. */
export function settingsThatWait(
  started: Readonly<Settings>,
  before: Readonly<Settings>,
  now: Readonly<Settings>,
): RestartSetting[] {
  return restartSettings.filter((name) => now[name] !== before[name] && now[name] !== started[name]);
}
