import { type ExitCode, exitCodes } from './exit-codes.ts';

export interface CommandFailureOptions extends ErrorOptions {
  /** The command has said all there is to say. */
  readonly isTold?: boolean;
}

/** Why a command ends early: one line for people, without a stack, and the exit code for scripts. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  readonly isTold: boolean;

  constructor(
    message: string,
    exitCode: ExitCode = exitCodes.faulty,
    { isTold = false, ...options }: CommandFailureOptions = {},
  ) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.isTold = isTold;
  }
}
