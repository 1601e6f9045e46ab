import type { Terminal } from '@rostergate/runtime/command';

/** What every command is given of the world. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
}
