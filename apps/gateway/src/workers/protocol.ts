import type { DependencyStatus } from '@rostergate/runtime/lifecycle';
import type { Figures } from '@rostergate/runtime/telemetry';
import type { CallHandlers, CountReply, CountRequest, EndedLease, LateCounts } from '@rostergate/runtime/workers';

/** What only the primary knows, and each worker's readiness tells. */
export interface SharedState {
  readonly configuration: DependencyStatus;
  readonly limits: DependencyStatus;
  readonly workers: DependencyStatus;
}

/** What a worker that serves says of itself. */
export interface UpNotice {
  readonly address: string;
  readonly port: number;
  /** Of the files that its configuration was read from. */
  readonly identity: string;
}

/** What workers ask of the primary. */
export interface PrimaryHandlers extends CallHandlers {
  readonly count: (request: CountRequest) => Promise<CountReply>;
  readonly giveBack: (ended: readonly EndedLease[]) => void;
  /** Of every process, the primary included. */
  readonly figures: () => Promise<readonly Figures[]>;
  readonly state: () => SharedState;
  readonly up: (notice: UpNotice) => void;
  readonly failed: (reason: { readonly message: string }) => void;
}

/** What the primary asks of each worker. */
export interface WorkerHandlers extends CallHandlers {
  readonly figures: () => Promise<Figures>;
  readonly state: (state: SharedState) => void;
  /** Builds what the files of this identity say, beside what serves. Throws when they say something else or cannot serve. */
  readonly prepare: (wanted: { readonly identity: string }) => Promise<void>;
  /** Puts what was prepared to work, or forgets it. */
  readonly swap: (decision: { readonly isAgreed: boolean }) => Promise<void>;
  readonly recall: (key: string) => void;
  readonly late: (counts: LateCounts) => void;
  readonly stop: () => void;
}
