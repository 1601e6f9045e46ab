import type { Environment } from '@rostergate/runtime/config';
import type { DependencyStatus } from '@rostergate/runtime/lifecycle';
import type { FileStates } from '@rostergate/runtime/reload';
import type { Figures } from '@rostergate/runtime/telemetry';
import type { CallHandlers, HitLogSnapshot } from '@rostergate/runtime/workers';

/** How long the response of a write waits for a worker that is to remove outdated responses. */
export const invalidateMs = 250;

/** What only the primary knows, and the readiness of each worker reports. */
export interface SharedState {
  readonly configuration: DependencyStatus;
  readonly workers: DependencyStatus;
}

/** A configuration that the primary has read and checked. */
export interface Agreed {
  /** A later configuration has a higher number. */
  readonly number: number;
  /** The content of all of its files. */
  readonly files: FileStates;
}

/** What a worker needs beside the configuration. Nothing is read from disk or from its environment. */
export interface WorkerStart {
  readonly version: string;
  readonly settingsFile: string;
  readonly env: Environment;
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: SharedState;
  /** Where all workers log the requests that count for the limits, and what was counted so far. */
  readonly hits: { readonly folder: string; readonly from: HitLogSnapshot };
}

/** The calls that workers make to the primary. */
export interface PrimaryHandlers extends CallHandlers {
  readonly start: () => WorkerStart;
  /** The configuration to serve. */
  readonly agreed: () => Agreed;
  /** The worker has built its configuration and can listen. */
  readonly ready: () => void;
  readonly failed: (fault: { readonly message: string }) => void;
  /** Sent a few times a second: a worker that does not is killed. */
  readonly beat: (beat: { readonly segment: number }) => void;
  /** Another worker, or several, may hold outdated responses of these URIs: resolves when none does. */
  readonly invalidate: (uris: readonly string[]) => Promise<void>;
  /** Of every process, the primary included. */
  readonly figures: () => Promise<readonly Figures[]>;
}

/** The calls that the primary makes to each worker. */
export interface WorkerHandlers extends CallHandlers {
  /** Builds a configuration beside the one that serves. Throws when it cannot serve. */
  readonly load: (next: Agreed) => Promise<void>;
  /** Serves a configuration, built before or not. */
  readonly swap: (next: Agreed | { readonly number: number }) => Promise<void>;
  readonly listen: (address: { readonly port: number }) => Promise<void>;
  /** Removes the stored responses of these URIs. */
  readonly invalidate: (uris: readonly string[]) => Promise<void>;
  readonly figures: () => Promise<Figures>;
  readonly state: (state: SharedState) => void;
  /** Drains and ends. A second one cuts what is in flight. */
  readonly stop: () => void;
}
