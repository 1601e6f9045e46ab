import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '@rostergate/endpoints';
import type { Environment } from '@rostergate/runtime/config';
import { monotonicNow } from '@rostergate/runtime/limits';
import type { CheckedConfiguration, SourceReader } from '@rostergate/runtime/reload';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import { createUpstreamRegistry, type UpstreamRegistry } from '@rostergate/runtime/upstream';
import type { Agent } from 'undici';
import { createBuiltInServices } from './services/index.ts';
import { type ReadEditOptions, readEdit } from './sources/read-edit.ts';
import type { Configuration } from './sources/read-sources.ts';

export interface ConfigurationReaderOptions {
  readonly settingsFile: string;
  readonly isSettingsFileNamed?: boolean;
  /** With digests in place of keys. */
  readonly env: Environment;
  readonly args: Readonly<Record<string, unknown>>;
  /** Checks an edit with new code of services before that is loaded; without it, it is loaded unchecked. */
  readonly tryEdit?: ReadEditOptions['tryEdit'];
}

/** Reads configurations for one process, with services whose clients and upstreams outlive a reload. */
export interface ConfigurationReader {
  read(reader: SourceReader, wasThere: (path: string) => boolean): Promise<CheckedConfiguration<Configuration>>;
  readonly upstreams: UpstreamRegistry;
  readonly notes: Notes;
  close(): Promise<unknown>;
}

/** Something an operator should know of, though nothing is wrong enough to stop. */
export interface Note {
  readonly text: string;
  /** `warn` by default. */
  readonly level?: 'warn' | 'error';
  readonly [detail: string]: unknown;
}

export interface Notes {
  take(note: Note): void;
  /** Logs the notes so far and all later ones. */
  tellTo(log: Telemetry['log']): void;
}

export function createConfigurationReader(options: ConfigurationReaderOptions): ConfigurationReader {
  const { env } = options;
  const notes = createNotes();
  const client = createClient();
  const upstreams = createUpstreamRegistry({
    clock: monotonicNow,
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
  });
  const createServices = keepWhile(
    ({ crypto_upstream_url, trusted_proxies }) => JSON.stringify([crypto_upstream_url, trusted_proxies]),
    ({ crypto_upstream_url, trusted_proxies }) =>
      createBuiltInServices({
        cryptoUpstreamUrl: crypto_upstream_url,
        fetch: client.fetch,
        clock: Date.now,
        wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
        onCryptoFailure: (error) => notes.take({ text: 'crypto ticker unreachable', error: reasonOf(error) }),
        http: { env, upstreams, trustedProxies: trusted_proxies },
      }),
  );
  return {
    read: (reader, wasThere) =>
      readEdit({ ...options, reader, wasThere, note: (text) => notes.take({ text }), createServices }),
    upstreams,
    notes,
    close: () => Promise.all([client.destroy(), upstreams.destroy()]),
  };
}

/** A client of the ticker service, loaded with its first request. */
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

/** Keeps notes until there is a log, each once. */
function createNotes(): Notes {
  const early = new Map<string, Note>();
  let tell = (note: Note): void => void early.set(note.text, note);
  return {
    take: (note: Note) => tell(note),
    tellTo(log: Telemetry['log']) {
      tell = ({ text, level = 'warn', ...details }) => log[level](details, text);
      for (const note of early.values()) tell(note);
    },
  };
}

/** Makes a value anew only when what it is made of has changed: what it remembers outlives a reload. */
function keepWhile<V>(keyOf: (settings: Readonly<Settings>) => string, make: (settings: Readonly<Settings>) => V) {
  let kept: { readonly key: string; readonly value: V } | undefined;
  return (settings: Readonly<Settings>): V => {
    const key = keyOf(settings);
    if (kept === undefined || kept.key !== key) kept = { key, value: make(settings) };
    return kept.value;
  };
}

/** What went wrong on the way out, without the address: it may hold a password. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : error instanceof Error ? error.name : 'unknown';
}
