import type { Settings } from '@rostergate/endpoints';

/** What a process takes once, when it starts, by the setting that says it. Everything else is live. */
const takenAtStart = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  workers: ({ workers }) => workers,
  // Another certificate is taken up at once, but a server either speaks TLS or does not.
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
} as const satisfies Partial<Record<keyof Settings, (settings: Readonly<Settings>) => unknown>>;

export type RestartSetting = keyof typeof takenAtStart;

const restartSettings = Object.keys(takenAtStart) as readonly RestartSetting[];

/** The settings that were edited just now and wait for the next start. */
export function settingsThatWait(
  started: Readonly<Settings>,
  before: Readonly<Settings>,
  now: Readonly<Settings>,
): RestartSetting[] {
  return restartSettings.filter((name) => {
    const taken = takenAtStart[name];
    return taken(now) !== taken(before) && taken(now) !== taken(started);
  });
}
