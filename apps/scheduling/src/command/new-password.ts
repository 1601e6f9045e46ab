import { CommandFailure, exitCodes, type Output, type Terminal } from '@rostergate/config/command';
import type { Command } from 'commander';
import { createPassword, findPasswordFault } from '../accounts/password.ts';
import type { CommandContext } from './database-command.ts';

export interface PasswordOptions {
  readonly passwordStdin?: true;
  readonly generate?: true;
}

/**
 * Adds the options for a new password. It is never an argument, because every user of the machine can see command
 * lines.
 */
export function addPasswordOptions(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from stdin; a line end after it is removed')
    .option('--generate', 'generate a password and show it once');
}

/** @throws CommandFailure when there is no password, the two entered ones differ, or it is too weak */
export async function readNewPassword(
  context: CommandContext,
  { passwordStdin, generate }: PasswordOptions,
  email: string,
): Promise<{ readonly password: string; readonly isGenerated: boolean }> {
  if (passwordStdin && generate) {
    throw new CommandFailure('Give --password-stdin or --generate, not both.', exitCodes.usage);
  }
  if (generate) return { password: createPassword(context.randomBytes), isGenerated: true };
  const password = passwordStdin ? await readAll(context.stdin) : await askTwice(context);
  const fault = findPasswordFault(password, email);
  if (fault !== undefined) throw new CommandFailure(fault, exitCodes.invalid);
  return { password, isGenerated: false };
}

/** Prints a generated password: one line on stdout. Nothing else prints passwords. */
export function showGenerated({ out, err }: Terminal, password: string): void {
  if (out.isTerminal) err.write('Store the password now. It is shown only once.\n');
  out.write(`${password}\n`);
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

async function askTwice({ stdin, terminal }: CommandContext): Promise<string> {
  if (!stdin.isTTY) {
    const detail = 'There is no terminal to enter the password at. Use --password-stdin or --generate.';
    throw new CommandFailure(detail, exitCodes.usage);
  }
  const questions = ['Password: ', 'Again: '];
  const [password = '', again] = await askHidden({ stdin, output: terminal.err, questions });
  if (again === password) return password;
  throw new CommandFailure('The two passwords differ. Nothing was changed.', exitCodes.invalid);
}

export interface AskOptions {
  readonly stdin: Pick<NodeJS.ReadStream, 'on' | 'off' | 'setRawMode' | 'setEncoding' | 'resume' | 'pause'>;
  readonly output: Pick<Output, 'write'>;
  /** Asked one after the other; text typed ahead answers the next question. */
  readonly questions: readonly string[];
}

/** The exit code for SIGINT. */
const interrupted = 130;

/** Reads lines at a terminal without echo. */
export function askHidden({ stdin, output, questions }: AskOptions): Promise<string[]> {
  // Before the first question, so that text typed ahead is not shown either.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    const answers: string[] = [];
    let typed: string[] = [];
    const ask = () => output.write(questions[answers.length] ?? '');
    const end = (settle: () => void) => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      output.write('\n');
      settle();
    };
    const take = (text: string) => {
      for (const key of text) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          answers.push(typed.join(''));
          typed = [];
          if (answers.length === questions.length) return end(() => resolve(answers));
          output.write('\n');
          ask();
          continue;
        }
        // In raw mode the terminal sends Ctrl-C as a character, not as a signal.
        if (key === '\u0003') {
          const stop = new CommandFailure('Interrupted. Nothing was changed.', interrupted as never);
          return end(() => reject(stop));
        }
        if (key === '\u007f' || key === '\b') typed.pop();
        else if (key === '\u0015') typed = [];
        else if (key >= ' ') typed.push(key);
      }
    };
    stdin.on('data', take);
    stdin.resume();
    ask();
  });
}
