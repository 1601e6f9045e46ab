import { CommandFailure } from '@rostergate/runtime/command';
import { supervise } from '@rostergate/runtime/reload';
import { sealEnvironment } from './seal-environment.ts';

export interface ServeSupervisedOptions {
  /** The process that was asked to serve: its command line runs again in each child, without `--reload`. */
  readonly process: Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'stderr' | 'on' | 'off'>;
  readonly settingsFile: string;
}

/** Serves from a child process that is started again whenever its code changes, that of services included. */
export async function serveSupervised({ process, settingsFile }: ServeSupervisedOptions): Promise<void> {
  const [, script = '', ...args] = process.argv;
  const code = await supervise({
    script,
    args: args.filter((arg) => arg !== '--reload'),
    env: await sealEnvironment(process.env, settingsFile),
    execArgv: process.execArgv,
    signals: process as unknown as NodeJS.Process,
    tell: (text) => process.stderr.write(`rostergate: ${text}\n`),
  });
  if (code !== 0) throw new CommandFailure(`The server has ended with code ${code}.`);
}
