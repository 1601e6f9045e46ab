import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createProcessTerminal } from './process-terminal.ts';
import { resolveHelp } from './resolve-help.ts';
import { runCommand } from './run-command.ts';
import type { Terminal } from './terminal.ts';

export interface RunProgramOptions {
  /** What was typed after the program's name. */
  readonly args: readonly string[];
  /** Where the program's package.json is. */
  readonly packageFile: URL;
  readonly createProgram: (world: { readonly version: string; readonly terminal: Terminal }) => Promise<Command>;
}

/** Runs a program of many commands, of which `serve` is one, and leaves its exit code with the process. */
export async function runProgram(process: NodeJS.Process, options: RunProgramOptions): Promise<void> {
  const { args, packageFile, createProgram } = options;
  // A server has its own way to stop; anything else ends between two steps, never within one.
  if (!args.includes('serve')) {
    for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
      process.on(signal, () => process.exit(code));
  }
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const terminal = createProcessTerminal(process);
  const program = await createProgram({ version, terminal });
  process.exitCode = await runCommand(program, { args: resolveHelp(program, args), terminal });
}
