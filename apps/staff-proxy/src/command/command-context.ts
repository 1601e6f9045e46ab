import type { Terminal } from '@rostergate/runtime/command';

/** What every command is given of the world. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  /** The environment of the process; a server takes out what is secret in it. */
  readonly env: Record<string, string | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
}
