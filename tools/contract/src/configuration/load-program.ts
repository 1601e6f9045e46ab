import { join } from 'node:path';
import { createTerminal } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import { rootFolder } from '../workspace.ts';

/** The commands themselves, which nobody runs here. */
export async function loadProgram(): Promise<Command> {
  const { createWholeProgram }: { createWholeProgram: (context: unknown) => Promise<Command> } = await import(
    join(rootFolder, 'apps/gateway/src/command/program.ts')
  );
  const nowhere = { write: () => undefined };
  const terminal = createTerminal({ stdout: nowhere, stderr: nowhere, env: {} });
  return createWholeProgram({ version: '', terminal, env: {}, clock: Date.now, random: () => new Uint8Array() });
}
