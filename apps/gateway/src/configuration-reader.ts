import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { monotonicNow } from '@rostergate/access/limits';
import { ConfigError, type Environment } from '@rostergate/config';
import {
  type CheckedConfiguration,
  type ConfigurationSource,
  createConfigurationSource,
  createSourceFiles,
  createSourceReader,
  loadChecked,
  readTls,
  type SourceFiles,
  type SourceReader,
} from '@rostergate/config/reload';
import { contractDocumentsOf, type Settings } from '@rostergate/endpoints';
import type { Telemetry } from '@rostergate/server/telemetry';
import { createUpstreamRegistry, type UpstreamRegistry } from '@rostergate/upstream';
import type { Agent } from 'undici';
import { createBuiltInServices } from './services/index.ts';
import { readSettings } from './settings.ts';
import { readIndependent, readKeyRings, readKeySource, sealFiles } from './sources/read-keys.ts';
import { readServiceModules, toFaults } from './sources/read-services.ts';
import { type Configuration, type ReadSourcesOptions, readSettingsFile, readSources } from './sources/read-sources.ts';
import { tlsFilesOf } from './sources/read-upstream-tls.ts';
import { areRegistered } from './sources/service-modules.ts';
import type { Edit, TryEdit } from './sources/try-edit.ts';

export interface ConfigurationReaderOptions {
  readonly settingsFile: string;
  readonly isSettingsFileNamed?: boolean;
  /** With digests instead of keys. */
  readonly env: Environment;
  readonly args: Readonly<Record<string, unknown>>;
  /** Checks an edit with new service code before the code is loaded; without it, code is loaded unchecked. */
  readonly tryEdit?: ReadEditOptions['tryEdit'];
  /** Another process checks the health of upstreams. */
  readonly isCheckedElsewhere?: boolean;
}

/** Reads the configurations of one process; clients and upstreams of its services survive reloads. */
export interface ConfigurationReader {
  read(reader: SourceReader, wasRead: (path: string) => boolean): Promise<CheckedConfiguration<Configuration>>;
  /** Reads the files on disk. */
  readonly source: ConfigurationSource<Configuration>;
  readonly upstreams: UpstreamRegistry;
  readonly notes: Notes;
  close(): Promise<unknown>;
}

/** A message for the operator that does not stop the server. */
export interface Note {
  readonly text: string;
  /** `warn` by default. */
  readonly level?: 'warn' | 'error';
  readonly [detail: string]: unknown;
}

export interface Notes {
  add(note: Note): void;
  /** Logs the notes so far and all later ones. */
  logTo(log: Telemetry['log']): void;
}

export function createConfigurationReader(options: ConfigurationReaderOptions): ConfigurationReader {
  const { env, settingsFile, isCheckedElsewhere = false } = options;
  const notes = createNotes();
  const client = createClient();
  const upstreams = createUpstreamRegistry({
    clock: monotonicNow,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
    isCheckedElsewhere,
  });
  if (!isCheckedElsewhere) upstreams.onHealth((target) => notes.add(healthNote(target)));
  const createServices = memoizeLast(
    ({ crypto_upstream_url, trusted_proxies }) => JSON.stringify([crypto_upstream_url, trusted_proxies]),
    ({ crypto_upstream_url, trusted_proxies }) =>
      createBuiltInServices({
        cryptoUpstreamUrl: crypto_upstream_url,
        fetch: client.fetch,
        clock: Date.now,
        wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
        onCryptoFailure: (error) => notes.add({ text: 'crypto ticker unreachable', error: reasonOf(error) }),
        http: { env, upstreams, trustedProxies: trusted_proxies },
      }),
  );
  const read: ConfigurationReader['read'] = (reader, wasRead) =>
    readEdit({ ...options, reader, wasRead, note: (text) => notes.add({ text }), createServices });
  return {
    read,
    source: createConfigurationSource({ settingsFile, read, seal: (states) => sealFiles(states, settingsFile) }),
    upstreams,
    notes,
    close: () => Promise.all([client.destroy(), upstreams.destroy()]),
  };
}

/** Returns the client of the ticker service, which is loaded with the first request. */
function createClient() {
  let agent: Agent | undefined;
  return {
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const undici = await import('undici');
      agent ??= new undici.Agent({ connect: { timeout: 2_000 } });
      return undici.fetch(url, { ...(init as object), dispatcher: agent }) as unknown as Promise<Response>;
    },
    destroy: () => agent?.destroy(),
  };
}

/** Returns notes that are buffered, each text once, until there is a log. */
function createNotes(): Notes {
  const early = new Map<string, Note>();
  let add = (note: Note): void => void early.set(note.text, note);
  return {
    add: (note: Note) => add(note),
    logTo(log: Telemetry['log']) {
      add = ({ text, level = 'warn', ...details }) => log[level](details, text);
      for (const note of early.values()) add(note);
    },
  };
}

function healthNote({ host, isSick }: { readonly host: string; readonly isSick: boolean }): Note {
  const text = isSick ? 'upstream target fails its health checks' : 'upstream target is healthy again';
  return { text, target: host };
}

/** Creates a value again only when its key changes: its state survives a reload. */
function memoizeLast<V>(keyOf: (settings: Readonly<Settings>) => string, create: (settings: Readonly<Settings>) => V) {
  let last: { readonly key: string; readonly value: V } | undefined;
  return (settings: Readonly<Settings>): V => {
    const key = keyOf(settings);
    if (last === undefined || last.key !== key) last = { key, value: create(settings) };
    return last.value;
  };
}

/** Returns the reason of a failed request without the address, which may contain a password. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : error instanceof Error ? error.name : 'unknown';
}

export interface ReadEditOptions extends Omit<ReadSourcesOptions, 'rejected'> {
  /** Checks an edit with new service code before the code is loaded; without it, code is loaded unchecked. */
  readonly tryEdit?: TryEdit | undefined;
}

/**
 * Reads and checks the configuration. New service code is loaded into this process only by `load`, after the whole edit
 * has been accepted.
 */
export async function readEdit(given: ReadEditOptions): Promise<CheckedConfiguration<Configuration>> {
  const { tryEdit, ...options } = given;
  if (tryEdit === undefined) return readSources(options);
  const files = createSourceFiles({ ...options, note: undefined });
  const edit = await readAhead(options, files);
  if (edit === undefined) return readSources(options);
  const verdict = await tryEdit(edit);
  const seen = new Set<string>();
  const faults = [
    ...verdict.faults,
    ...toFaults([...verdict.rejected.values()].flat(), files),
    ...(verdict.faults.length === 0 ? files.faults : []),
  ].filter((fault) => {
    const text = JSON.stringify(fault);
    return !seen.has(text) && seen.add(text);
  });
  return faults.length > 0 ? { faults } : { load: () => readSources(options) };
}

/** Reads every file of an edit without running code; undefined if the edit contains no new code. */
async function readAhead(options: ReadSourcesOptions, files: SourceFiles): Promise<Edit | undefined> {
  const { settingsFile, isSettingsFileNamed, env, args, reader, wasRead = () => false } = options;
  const settings = (await readSettingsFile(options, files)).settings ?? readSettings({ env: {} });
  const modules = await readServiceModules(settings, files);
  if (modules === undefined || areRegistered(modules.entries, modules.graph)) return undefined;
  await readKeyRings(settings, settingsFile, files, undefined);
  await readTls(settings, files);
  const path = resolve(files.folder, settings.endpoints_file);
  const value = parse(await files.text(path));
  for (const name of contractDocumentsOf(value)) await files.text(resolve(path, '..', name));
  for (const name of tlsFilesOf(value)) await files.text(resolve(files.folder, name));
  for (const keys of keysOf(value)) await readKeySource(keys, files.folder, readIndependent(files)).catch(() => []);
  const states = await reader.states();
  return {
    // A plain object, unlike `process.env`: it is sent to another process.
    env: { ...env },
    ...{ settingsFile, isSettingsFileNamed, args, states, ...modules },
    there: [...states.keys()].filter(wasRead),
  };
}

/** Returns undefined for text that is not JSON: the check reports the fault. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the key sources of enabled endpoints, any of which may be the name of a file. */
function keysOf(value: unknown): string[] {
  const { endpoints } = (value ?? {}) as { endpoints?: unknown };
  const list = (Array.isArray(endpoints) ? endpoints : []) as ({ api_keys?: unknown; enabled?: unknown } | null)[];
  return list.flatMap((one) => (typeof one?.api_keys === 'string' && one.enabled !== false ? [one.api_keys] : []));
}

export interface ConfigurationOptions extends Omit<ReadEditOptions, 'reader'> {
  /** Reads texts by absolute path, instead of from disk. */
  readonly readText?: ReadText;
  /** Lists folders, beside `readText`; without it, there are no custom services. */
  readonly readNames?: ReadNames;
}

/**
 * Reads the whole configuration once.
 * @throws ConfigError with every fault of every file.
 */
export async function loadConfiguration(given: ConfigurationOptions): Promise<Configuration> {
  const { readText, readNames, ...options } = given;
  const reader = readText === undefined ? createSourceReader() : createTextReader(readText, readNames);
  const read = await loadChecked(await readEdit({ ...options, reader }));
  if ('faults' in read) throw new ConfigError(read.faults);
  return read.configuration;
}

/** Returns the text of a file by absolute path; undefined if there is none. */
export type ReadText = (path: string) => string | undefined;

/** Returns the names in a folder by absolute path; undefined if there is none. */
export type ReadNames = (path: string) => readonly string[] | undefined;

/** Returns a reader of the given texts. A configuration and its services are then read from these texts alone. */
export function createTextReader(readText: ReadText, readNames: ReadNames = () => undefined): SourceReader {
  const stamp = { text: 'given', changedMs: Number.NEGATIVE_INFINITY };
  return createSourceReader((path) => {
    const text = readText(path);
    if (text !== undefined) return { kind: 'file', bytes: Buffer.from(text), exposure: 0, stamp };
    const names = readNames(path);
    return names === undefined ? { kind: 'absent', stamp } : { kind: 'folder', names, stamp };
  });
}
