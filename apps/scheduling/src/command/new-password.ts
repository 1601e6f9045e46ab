import { CommandFailure, exitCodes, type Output, type Terminal } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import { createPassword, findPasswordFault } from '../accounts/password.ts';
import type { CommandContext } from './database-command.ts';

export interface PasswordOptions {
  readonly passwordStdin?: true;
  readonly generate?: true;
}

/** Where a new password comes from. Never from an argument: a command line is shown to every user of the machine. */
export function addPasswordOptions(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from stdin; one line end after it is dropped')
    .option('--generate', 'make a password up, and show it once');
}

/** @throws CommandFailure when there is none, the two that were typed differ, or it is too weak */
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
  if (fault !== undefined) throw new CommandFailure(fault, exitCodes.faulty);
  return { password, isGenerated: false };
}

/** The only place that ever shows a password: one line on stdout. */
export function showGenerated({ out, err }: Terminal, password: string): void {
  if (out.isTerminal) err.write('Store the password now: it is kept nowhere and shown only this once.\n');
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
    const detail = 'There is no terminal to ask for the password: give it with --password-stdin, or use --generate.';
    throw new CommandFailure(detail, exitCodes.usage);
  }
  const questions = ['Password: ', 'Again: '];
  const [password = '', again] = await askHidden({ stdin, output: terminal.err, questions });
  if (again === password) return password;
  throw new CommandFailure('The two are not the same; nothing was changed.', exitCodes.faulty);
}

export interface AskOptions {
  readonly stdin: Pick<NodeJS.ReadStream, 'on' | 'off' | 'setRawMode' | 'setEncoding' | 'resume' | 'pause'>;
  readonly output: Pick<Output, 'write'>;
  /** Asked one after the other; what is typed ahead answers the next. */
  readonly questions: readonly string[];
}

/** Exit code of what SIGINT ends. */
const interrupted = 130;

/** Asks at a terminal for lines that it does not show. */
export function askHidden({ stdin, output, questions }: AskOptions): Promise<string[]> {
  // Before anybody is asked: what is typed at once must not be shown either.
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
        // The terminal makes no signal of Ctrl-C while it sends each key as it is.
        if (key === '\u0003') {
          const stop = new CommandFailure('Interrupted; nothing was changed.', interrupted as never);
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
