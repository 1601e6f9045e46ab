import { dirname, resolve } from 'node:path';
import { ConfigError, type Environment, readFieldsAlone } from '@rostergate/config';
import {
  createSourceFiles,
  createSourceReader,
  type ReadConfiguration,
  type RestartRequired,
  readTls,
  type SourceFiles,
  type SourceFilesOptions,
} from '@rostergate/config/reload';
import type { TlsPair } from '@rostergate/server/edge';
import { type KeysFile, readKeysFile as readKeysText } from '../keys/keys-file.ts';
import { type Settings, settingsPrefix } from '../settings.ts';
import { defaultSettings, readSettings } from './read-settings.ts';
import type { SettingsFile } from './settings-file.ts';

/** The checked and frozen content of all files and the environment. */
export interface Configuration {
  readonly settings: Settings;
  readonly keysFile: KeysFile;
  /** Both in PEM; undefined for plain HTTP. */
  readonly tls: TlsPair | undefined;
}

export interface ConfigurationOptions {
  readonly settingsFile: SettingsFile;
  readonly env: Environment;
  /** From the command line, by field name. */
  readonly args: Readonly<Record<string, unknown>>;
}

export type ReadSourcesOptions = ConfigurationOptions & Omit<SourceFilesOptions, 'settingsFile'>;

/** Returns the counts for logs and verdicts. */
export function sizesOf({ keysFile }: Pick<Configuration, 'keysFile'>) {
  return { accounts: keysFile.accounts.size, keys: keysFile.keys.length };
}

/** Restart-required settings. */
export const restartRequired: RestartRequired<Settings> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  // The limits in Redis move to another prefix at once, its keys at the start.
  key_store_url: ({ key_store_url: url, redis_prefix }) => (url.startsWith('redis') ? redis_prefix + url : url),
  // A new certificate applies at once, but a server cannot switch between TLS and plain HTTP.
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
};

/**
 * Reads the configuration once.
 * @throws ConfigError with every fault of every file.
 */
export async function loadConfiguration(options: ConfigurationOptions): Promise<Configuration> {
  const read = await readSources({ ...options, reader: createSourceReader() });
  if ('faults' in read) throw new ConfigError(read.faults);
  return read.configuration;
}

/** Reads all files of the configuration. Returns it, or all faults of all files. */
export async function readSources(options: ReadSourcesOptions): Promise<ReadConfiguration<Configuration>> {
  const { settingsFile, env, args, ...how } = options;
  const files = createSourceFiles({ settingsFile: settingsFile.path, ...how });
  const { settings, named } = await readSettingsFile(options, files);
  // With invalid settings the other files are checked by the defaults, in the form that rejects the least.
  const usable: Settings = settings ?? { ...defaultSettings, upstream_form: 'vendor' };
  const keysFile = await readKeysFile(usable, env, files, named);
  const tls = await readTls(usable, files);
  if (settings === undefined || keysFile === undefined || files.faults.length > 0) return { faults: files.faults };
  return { configuration: Object.freeze({ settings, keysFile, tls }) };
}

async function readSettingsFile(
  { settingsFile: { path, isNamed }, env, args }: ReadSourcesOptions,
  files: SourceFiles,
): Promise<{ readonly settings?: Settings | undefined; readonly named?: NamedSettings | undefined }> {
  const before = files.faults.length;
  const text = await files.text(resolve(path), { neededFor: isNamed ? 'the path' : undefined });
  const isRead = files.faults.length === before;
  const file = text === undefined ? undefined : { path, text };
  const settings = await collect(files, () => readSettings({ env, args, file }));
  if (!isRead) return {};
  const sources = { prefix: settingsPrefix, env, args, file };
  return {
    settings,
    named: settings ?? readFieldsAlone(readSettings, sources, ['jwt_issuers', 'pass_through', 'plans']),
  };
}

/** The settings that the keys file names. */
type NamedSettings = Pick<Settings, 'jwt_issuers' | 'pass_through' | 'plans'>;

/** The file is required, as no caller works without keys, and private, as it may contain passwords. */
async function readKeysFile(
  settings: Settings,
  env: Environment,
  files: SourceFiles,
  /** Undefined if they are invalid: then any plan and issuer is accepted. */
  known: NamedSettings | undefined,
): Promise<KeysFile | undefined> {
  const path = resolve(files.folder, settings.keys_file);
  const text = await files.text(path, { isPrivate: true, isIndependent: true, neededFor: 'keys_file' });
  // Orchestrators set the mode of a mounted password file.
  const readText = (file: string) => files.text(resolve(dirname(path), file), { isIndependent: true });
  const plans = known && Object.keys(known.plans);
  const issuers = known?.jwt_issuers.map(({ name }) => name);
  const passThrough = known?.pass_through.map(({ name }) => name);
  const how = { env, readText, upstreamForm: settings.upstream_form, plans, issuers, passThrough };
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
