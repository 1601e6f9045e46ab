import { readFileSync } from 'node:fs';
import {
  CommandFailure,
  describeSystemError,
  exitCodes,
  isSystemError,
  type Terminal,
} from '@rostergate/config/command';
import { Option } from 'commander';

/** The environment of a command. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
}

/** Returns the option `--config`, the same for every command that reads the configuration. */
export function configOption(): Option {
  return new Option(
    '-c, --config <path>',
    'settings.json or its folder (default: ROSTERGATE_SETTINGS_FILE, else this folder, else ./config)',
  );
}

/**
 * Returns the text of a file from the command line; 0 reads stdin.
 * @throws CommandFailure with the exit code of invalid input, as for a missing configuration.
 */
export function readGivenFile(path: string | 0): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const detail = describeSystemError(path === 0 ? error : Object.assign(error, { path }));
    throw new CommandFailure(detail, exitCodes.invalid, { cause: error });
  }
}
