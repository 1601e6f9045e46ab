import type { Settings } from '@rostergate/endpoints';
import { loadSettings } from '@rostergate/runtime/config';
import { checkEdgeSettings } from '@rostergate/runtime/edge';
import { checkLimitSettings } from '@rostergate/runtime/limits';
import type { TakenAtStart } from '@rostergate/runtime/reload';
import { environmentPrefix, settingsSchema } from './settings-file.ts';

export { environmentPrefix, settingsSchema } from './settings-file.ts';

// Whatever else is wrong, so that all faults are told at once.
const checkedSchema = settingsSchema
  .superRefine(checkLimitSettings, { when: () => true })
  .superRefine(checkEdgeSettings, { when: () => true });

export interface SettingsSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From the command line, by field name. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
}

/** Command line, else environment, else file, else default; throws a ConfigError with every fault. */
export function readSettings(options: SettingsSourceOptions): Readonly<Settings> {
  return loadSettings({ schema: checkedSchema, prefix: environmentPrefix, ...options }) as Readonly<Settings>;
}

/** What takes effect at the next start alone. */
export const takenAtStart: TakenAtStart<Settings> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  workers: ({ workers }) => workers,
  // Another certificate is taken up at once, but a server either speaks TLS or does not.
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
};
