import { dirname, resolve } from 'node:path';
import { ConfigError, type Environment } from '@rostergate/runtime/config';
import {
  createSourceFiles,
  type ReadConfiguration,
  readTls,
  type SourceFiles,
  type SourceFilesOptions,
} from '@rostergate/runtime/reload';
import { type KeysFile, readKeysFile as readKeysText } from '../keys/keys-file.ts';
import type { Settings } from '../settings.ts';
import type { Configuration } from './configuration.ts';
import { defaultSettings, readSettings } from './read-settings.ts';
import type { SettingsFile } from './settings-file.ts';

export interface ConfigurationOptions {
  readonly settingsFile: SettingsFile;
  readonly env: Environment;
  /** From the command line, by field name. */
  readonly args: Readonly<Record<string, unknown>>;
}

export type ReadSourcesOptions = ConfigurationOptions & Omit<SourceFilesOptions, 'settingsFile'>;

/** Reads every file that the configuration hangs on. Gives the configuration, or all faults of all files at once. */
export async function readSources(options: ReadSourcesOptions): Promise<ReadConfiguration<Configuration>> {
  const { settingsFile, env, args, ...how } = options;
  const files = createSourceFiles({ settingsFile: settingsFile.path, ...how });
  const settings = await readSettingsFile(options, files);
  // With bad settings the defaults go on, so that the faults of the other files are named in the same breath, and no others.
  const usable: Settings = settings ?? { ...defaultSettings, upstream_form: 'vendor' };
  const keysFile = await readKeysFile(usable, env, files);
  const tls = await readTls(usable, files);
  if (settings === undefined || keysFile === undefined || files.faults.length > 0) return { faults: files.faults };
  return { configuration: Object.freeze({ settings, keysFile, tls }) };
}

async function readSettingsFile(
  { settingsFile: { path, isNamed }, env, args }: ReadSourcesOptions,
  files: SourceFiles,
): Promise<Settings | undefined> {
  const before = files.faults.length;
  const text = await files.text(resolve(path), { neededFor: isNamed ? 'the path' : undefined });
  const isRead = files.faults.length === before;
  const file = text === undefined ? undefined : { path, text };
  const settings = await collect(files, () => readSettings({ env, args, file }));
  return isRead ? settings : undefined;
}

/** Without keys nobody could call, so the file must be there. It holds passwords: it is for its owner alone. */
async function readKeysFile(settings: Settings, env: Environment, files: SourceFiles): Promise<KeysFile | undefined> {
  const path = resolve(files.folder, settings.keys_file);
  const text = await files.text(path, { isPrivate: true, isIndependent: true, neededFor: 'keys_file' });
  // Whoever mounts a file with one password sets its mode, as orchestrators do.
  const readText = (file: string) => files.text(resolve(dirname(path), file), { isIndependent: true });
  const how = { env, readText, upstreamForm: settings.upstream_form };
  return text === undefined ? undefined : collect(files, () => readKeysText(text, files.show(path), how));
}

async function collect<T>(files: SourceFiles, read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) files.report(fault);
    return undefined;
  }
}
