import { checkKeyStoreSettings } from '@rostergate/access/keys';
import { checkLimitSettings } from '@rostergate/access/limits';
import { checkIssuerSettings } from '@rostergate/access/tokens';
import { loadSettings } from '@rostergate/config';
import type { RestartRequired } from '@rostergate/config/reload';
import type { Settings } from '@rostergate/endpoints';
import { checkEdgeSettings } from '@rostergate/server/edge';
import { checkAdminSettings } from './admin/admin-settings.ts';
import { checkPortalSettings } from './portal/portal-settings.ts';
import { environmentPrefix, settingsSchema } from './settings-file.ts';
import { checkUsageSettings } from './usage/usage-settings.ts';

export { environmentPrefix, settingsSchema } from './settings-file.ts';

// The rules run even if other settings are invalid, so that all faults are reported at once.
const checkedSchema = settingsSchema
  .superRefine(checkLimitSettings, { when: () => true })
  .superRefine(checkKeyStoreSettings, { when: () => true })
  .superRefine(checkAdminSettings, { when: () => true })
  .superRefine(checkIssuerSettings, { when: () => true })
  .superRefine(checkEdgeSettings, { when: () => true })
  .superRefine(checkUsageSettings, { when: () => true })
  .superRefine(checkPortalSettings, { when: () => true });

export interface SettingsSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From the command line, by field name. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
}

/** Returns the settings: command line, else environment, else file, else default. Throws a ConfigError with every fault. */
export function readSettings(options: SettingsSourceOptions): Readonly<Settings> {
  return loadSettings({ schema: checkedSchema, prefix: environmentPrefix, ...options }) as Readonly<Settings>;
}

/** Settings that require a restart. */
export const restartRequired: RestartRequired<Settings> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  workers: ({ workers }) => workers,
  // The limits in Redis move to another prefix at once, its keys at the start.
  key_store_url: ({ key_store_url: url, redis_prefix }) => (url.startsWith('redis') ? redis_prefix + url : url),
  admin_port: ({ admin_port }) => admin_port,
  admin_host: ({ admin_host }) => admin_host,
  // A new certificate is loaded at once, but switching TLS on or off requires a restart.
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
};

const startedNames = ['host', 'key_store_url', 'redis_prefix', 'admin_host', 'admin_port'] as const;

/** Settings of the start, which also apply to a worker that starts after an edit. The prefix is that of the key store. */
export type StartedSettings = Readonly<Pick<Settings, (typeof startedNames)[number]>>;

export function startedSettings(settings: Readonly<Settings>): StartedSettings {
  return Object.fromEntries(startedNames.map((name) => [name, settings[name]])) as unknown as StartedSettings;
}
