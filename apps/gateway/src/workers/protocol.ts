import type { KeyCursor, KeyPage, KeyStoreHead } from '@rostergate/access/key-store';
import type { HitLogSnapshot } from '@rostergate/access/limits';
import type { KeySource, LoadedKeys } from '@rostergate/access/tokens';
import type { Environment } from '@rostergate/config';
import type { FileStates, ReloadState } from '@rostergate/config/reload';
import type { DependencyStatus } from '@rostergate/server/lifecycle';
import type { Figures } from '@rostergate/server/telemetry';
import type { StartedSettings } from '../settings.ts';
import type { Configuration } from '../sources/read-sources.ts';
import type { CallHandlers } from './calls.ts';

/** How long the response to a write waits for a worker to remove outdated cached responses. */
export const invalidateMs = 250;

/** How long the primary may take to fetch the keys of an issuer. */
export const issuerKeysMs = 6_000;

/** How long the primary may take to read the key store. */
export const keyStoreMs = 6_000;

/** The state of the primary that each worker reports and follows. */
export interface SharedState {
  readonly configuration: DependencyStatus;
  /** For the admin API. */
  readonly reload: ReloadState | undefined;
  readonly workers: DependencyStatus;
  /** The ids of the targets of upstreams that fail their health checks, which the primary makes for all workers. */
  readonly sickTargets: readonly string[];
}

/** A checked configuration. */
export interface Agreed {
  /** A later configuration has a higher number. */
  readonly number: number;
  /** The contents of all of its files. */
  readonly files: FileStates;
}

/** What a worker needs beside the configuration: it reads nothing from disk or its environment. */
export interface WorkerStart {
  readonly version: string;
  readonly settingsFile: string;
  readonly env: Environment;
  readonly args: Readonly<Record<string, unknown>>;
  readonly started: StartedSettings;
  /** The newest certificate; undefined if the server was started without TLS. */
  readonly tls: Configuration['tls'];
  readonly state: SharedState;
  /** The folder in which all workers log counted requests, and the counts so far. */
  readonly hits: { readonly folder: string; readonly from: HitLogSnapshot };
}

/** The calls that workers make to the primary. */
export interface PrimaryHandlers extends CallHandlers {
  readonly start: () => WorkerStart;
  /** Returns the configuration to serve. */
  readonly agreed: () => Agreed;
  /** The worker has built its configuration and can listen. */
  readonly ready: () => void;
  readonly failed: (fault: { readonly message: string }) => void;
  /** Sent several times per second: a silent worker is killed. */
  readonly beat: (beat: { readonly segment: number }) => void;
  /** Removes the cached responses of these URIs in the other workers; resolves when they are removed. */
  readonly invalidate: (uris: readonly string[]) => Promise<void>;
  /** Fetches the public keys of an issuer for all workers. */
  readonly issuerKeys: (source: KeySource) => Promise<LoadedKeys>;
  /** Read the key store for all workers. */
  readonly keyStoreHead: () => Promise<KeyStoreHead>;
  readonly keyStoreChanges: (cursor: KeyCursor) => Promise<KeyPage>;
  /** Returns the metrics of every process, including the primary. */
  readonly figures: () => Promise<readonly Figures[]>;
}

/** The calls that the primary makes to each worker. */
export interface WorkerHandlers extends CallHandlers {
  /** Builds a configuration beside the current one. Throws if it cannot serve. */
  readonly load: (next: Agreed) => Promise<void>;
  /** Serves a configuration, and builds it first if needed. */
  readonly swap: (next: Agreed) => Promise<void>;
  readonly listen: (address: { readonly port: number }) => Promise<void>;
  /** Removes the cached responses of these URIs. */
  readonly invalidate: (uris: readonly string[]) => Promise<void>;
  readonly figures: () => Promise<Figures>;
  readonly state: (state: SharedState) => void;
  /** Drains and exits. A second call closes open connections. */
  readonly stop: () => void;
}
