import type { Terminal } from '@rostergate/runtime/command';

/** What every command is given of the world. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly stdin: NodeJS.ReadStream;
  /** The environment of the process; what is secret in it is taken out once it is read. */
  readonly env: Record<string, string | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
}
