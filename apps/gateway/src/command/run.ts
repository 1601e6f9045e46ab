import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createProcessTerminal, resolveHelp, runCommand } from '@rostergate/runtime/command';
import { createProgram } from './program.ts';

/** Runs the command line of a process and leaves its exit code there. */
export async function run(process: NodeJS.Process): Promise<void> {
  const { env } = process;
  const terminal = createProcessTerminal(process);
  const args = process.argv.slice(2);
  // A server has its own way to stop; anything else ends between two steps, never within one.
  if (!args.includes('serve')) {
    for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
      process.on(signal, () => process.exit(code));
  }
  const program = await createProgram(
    { version: readVersion(), terminal, env, clock: Date.now, random: randomBytes },
    args,
  );
  process.exitCode = await runCommand(program, { args: resolveHelp(program, args), terminal });
  // Whatever a service has started while its module was loaded has had its time.
  setTimeout(() => process.exit(), 500).unref();
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
