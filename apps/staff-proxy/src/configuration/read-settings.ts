import { checkKeyStoreSettings } from '@rostergate/access/keys';
import { checkLimitSettings } from '@rostergate/access/limits';
import { checkIssuerSettings } from '@rostergate/access/tokens';
import { type Environment, loadSettings } from '@rostergate/config';
import { checkEdgeSettings } from '@rostergate/server/edge';
import { checkMcpSettings } from '../mcp/mcp-field.ts';
import { checkPassThroughSettings } from '../pass-through/pass-through-field.ts';
import { type Settings, settingsPrefix, settingsSchema } from '../settings.ts';

// Runs even after other faults, so that all are reported at once.
const checkedSchema = settingsSchema
  .superRefine(checkLimitSettings, { when: () => true })
  .superRefine(checkKeyStoreSettings, { when: () => true })
  .superRefine(checkIssuerSettings, { when: () => true })
  .superRefine(checkMcpSettings, { when: () => true })
  .superRefine(checkPassThroughSettings, { when: () => true })
  .superRefine(checkEdgeSettings, { when: () => true });

export interface SettingsSourceOptions {
  readonly env: Environment;
  /** From the command line, by field name. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
}

/**
 * Reads each setting from the command line, else the environment, else the file, else its default.
 * @throws ConfigError with every fault
 */
export function readSettings(options: SettingsSourceOptions): Settings {
  return loadSettings({ schema: checkedSchema, prefix: settingsPrefix, ...options });
}

export const defaultSettings = readSettings({ env: {} });
