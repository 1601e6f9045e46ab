import { setTimeout as wait } from 'node:timers/promises';
import { monotonicNow } from '@rostergate/access/limits';
import type { Environment } from '@rostergate/config';
import {
  type CheckedConfiguration,
  type ConfigurationSource,
  createConfigurationSource,
  type SourceReader,
} from '@rostergate/config/reload';
import type { Settings } from '@rostergate/endpoints';
import type { Telemetry } from '@rostergate/server/telemetry';
import { createUpstreamRegistry, type UpstreamRegistry } from '@rostergate/upstream';
import type { Agent } from 'undici';
import { type ReadEditOptions, readEdit } from './configuration.ts';
import { createBuiltInServices } from './services/index.ts';
import { sealFiles } from './sources/read-keys.ts';
import type { Configuration } from './sources/read-sources.ts';

export interface ConfigurationReaderOptions {
  readonly settingsFile: string;
  readonly isSettingsFileNamed?: boolean;
  /** With digests instead of keys. */
  readonly env: Environment;
  readonly args: Readonly<Record<string, unknown>>;
  /** Checks an edit with new service code before the code is loaded; without it, code is loaded unchecked. */
  readonly tryEdit?: ReadEditOptions['tryEdit'];
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
  const { env, settingsFile } = options;
  const notes = createNotes();
  const client = createClient();
  const upstreams = createUpstreamRegistry({
    clock: monotonicNow,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
  });
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
