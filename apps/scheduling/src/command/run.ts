import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createProcessTerminal, resolveHelp, runCommand } from '@rostergate/runtime/command';
import { createProgram, withDefaultCommand } from './program.ts';

/** Runs the command line of a process and leaves its exit code there. */
export async function run(process: NodeJS.Process): Promise<void> {
  const { env, stdin } = process;
  const terminal = createProcessTerminal(process);
  const args = withDefaultCommand(process.argv.slice(2));
  // A server has its own way to stop; anything else ends between two steps, never within one.
  if (args[0] !== 'serve') {
    for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
      process.on(signal, () => process.exit(code));
  }
  const version = readVersion();
  const program = await createProgram({ version, terminal, stdin, env, clock: Date.now, randomBytes }, args);
  process.exitCode = await runCommand(program, { args: resolveHelp(program, args), terminal });
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
