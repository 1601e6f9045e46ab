import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, loadSettings as load, takeSecrets } from '@rostergate/runtime/config';
import { type Settings, settingsPrefix, settingsSchema } from './settings.ts';

export interface SettingsOptions {
  /** The environment of the process; what is secret in it is taken out. */
  readonly env: Record<string, string | undefined>;
  /** From the command line, by field. */
  readonly args: Readonly<Record<string, unknown>>;
  /** From `--settings`: the file must be there. */
  readonly settingsFile?: string | undefined;
}

export const defaultSettingsFile = 'scheduling.json';

const prefixed = `${settingsPrefix}DATABASE_URL`;
/** The name that most who offer a database give it. */
const plain = 'DATABASE_URL';

/**
 * The settings by the command line, else the environment, else the file: the one that is named, or scheduling.json when
 * it is in the working folder. Paths are relative to that folder wherever they stand.
 * @throws ConfigError with every fault
 */
export function loadSettings({ env, args, settingsFile }: SettingsOptions): Settings {
  const given = takeSecrets(env, [prefixed, plain]);
  const { database_file } = args;
  return load({
    schema: settingsSchema,
    prefix: settingsPrefix,
    env: database_file === undefined ? withPlainUrl(given) : withoutUrl(given),
    args,
    file: readSettingsFile(settingsFile),
  });
}

function withPlainUrl(env: Environment): Environment {
  return env[prefixed] || !env[plain] ? env : { ...env, [prefixed]: env[plain] };
}

/** Whoever names a file on the command line means it, and not what the environment says of another database. */
function withoutUrl(env: Environment): Environment {
  return { ...env, [prefixed]: undefined };
}

function readSettingsFile(named: string | undefined): { readonly path: string; readonly text: string } | undefined {
  const path = named ?? defaultSettingsFile;
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (named === undefined && code === 'ENOENT') return undefined;
    const detail = `The settings cannot be read from it (${code}): name the file with --settings.`;
    throw new ConfigError([{ where: path, field: '', detail }]);
  }
}
