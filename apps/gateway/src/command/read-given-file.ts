import { readFileSync } from 'node:fs';
import { CommandFailure, describeSystemError, exitCodes, isSystemError } from '@rostergate/runtime/command';

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
