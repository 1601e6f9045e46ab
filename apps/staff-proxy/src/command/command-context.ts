import type { Terminal } from '@rostergate/config/command';

/** The environment of a command. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  /** The environment of the process; `serve` removes its secrets. */
  readonly env: Record<string, string | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
}
