import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Why a command ends early: one line for people, without a stack, and the exit code for scripts. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.faulty, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}
