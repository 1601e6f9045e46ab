import { readFileSync } from 'node:fs';
import {
  CommandFailure,
  describeSystemError,
  exitCodes,
  isSystemError,
  type Terminal,
} from '@rostergate/runtime/command';
import { Option } from 'commander';

/** What every command is given of the world. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
}

/** `--config`, the same for every command that reads the configuration. */
export function configOption(): Option {
  return new Option(
    '-c, --config <path>',
    'settings.json, or the folder it is in (default: ROSTERGATE_SETTINGS_FILE, else this folder, else ./config)',
  );
}

/**
 * The text of a file that was named on the command line; by 0, what stands on stdin.
 * @throws CommandFailure with the exit code for what was given, as for a configuration that is not there.
 */
export function readGivenFile(path: string | 0): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const detail = describeSystemError(path === 0 ? error : Object.assign(error, { path }));
    throw new CommandFailure(detail, exitCodes.faulty, { cause: error });
  }
}
