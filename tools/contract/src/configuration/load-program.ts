import { join } from 'node:path';
import { createTerminal } from '@rostergate/config/command';
import type { Command } from 'commander';
import { rootFolder } from '../workspace.ts';

/** The apps that have a command, in the order of the pages about them. */
export const appNames = ['gateway', 'scheduling', 'staff-proxy'] as const;

export type AppName = (typeof appNames)[number];

/** The commands of an app, each with its options; nobody runs them here. */
export async function loadProgram(app: AppName): Promise<Command> {
  const folder = join(rootFolder, 'apps', app, 'src/command');
  type Program = { createProgram: (context: unknown, args: readonly string[]) => Promise<Command> };
  const { createProgram }: Program = await import(join(folder, 'program.ts'));
  const { commands }: { commands: readonly { name: string }[] } = await import(join(folder, 'commands.ts'));
  const nowhere = { write: () => undefined };
  const context = {
    ...{ version: '', env: {}, clock: Date.now, stdin: process.stdin },
    ...{ random: () => new Uint8Array(), randomBytes: () => Buffer.alloc(0) },
    terminal: createTerminal({ stdout: nowhere, stderr: nowhere, env: {} }),
  };
  return createProgram(
    context,
    commands.map(({ name }) => name),
  );
}
