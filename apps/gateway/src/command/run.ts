import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createTerminal, runCommand } from '@rostergate/runtime/command';
import { createProgram } from './program.ts';

/** Runs the command line of a process and leaves its exit code there. */
export async function run(process: NodeJS.Process): Promise<void> {
  const { stdout, stderr, env } = process;
  // Whoever reads through `head` has seen enough.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const terminal = createTerminal({ stdout, stderr, env });
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
  process.exitCode = await runCommand(program, { args, terminal });
  // Whatever a service has started while its module was loaded has had its time.
  setTimeout(() => process.exit(), 500).unref();
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
