import type { ConfigFault } from '../config/config-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

export interface CommandFailureOptions extends ErrorOptions {
  /** The command has said all there is to say. */
  readonly isTold?: boolean;
  /** What the message lists, one by one, for programs. */
  readonly faults?: readonly ConfigFault[];
}

/** Why a command ends early: one line for people, without a stack, and the exit code for scripts. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  readonly isTold: boolean;
  readonly faults: readonly ConfigFault[];

  constructor(
    message: string,
    exitCode: ExitCode = exitCodes.faulty,
    { isTold = false, faults = [], ...options }: CommandFailureOptions = {},
  ) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.isTold = isTold;
    this.faults = faults;
  }
}
