import { join } from 'node:path';
import { createTerminal } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import type { Listed } from '../guarantees/find-gaps.ts';
import { listCommands } from '../guarantees/list-commands.ts';
import { rootFolder } from '../workspace.ts';
import { listSettings, type SettingsSchema } from './list-settings.ts';

/** The settings and commands of an app, from its sources; nobody runs it here. */
export async function loadApp(name: string): Promise<Record<'setting' | 'command', readonly Listed[]>> {
  const sources = join(rootFolder, 'apps', name, 'src');
  const { settingsSchema }: { settingsSchema: SettingsSchema } = await import(join(sources, 'settings.ts'));
  return { setting: listSettings(settingsSchema), command: listCommands(await loadProgram(sources)) };
}

async function loadProgram(sources: string): Promise<Command> {
  type Program = { createProgram: (context: unknown, args: readonly string[]) => Promise<Command> };
  const { createProgram }: Program = await import(join(sources, 'command/program.ts'));
  const { commands }: { commands: readonly { name: string }[] } = await import(join(sources, 'command/commands.ts'));
  const nowhere = { write: () => undefined };
  const context = {
    ...{ version: '', env: {}, clock: Date.now, randomBytes: () => Buffer.alloc(0), stdin: process.stdin },
    terminal: createTerminal({ stdout: nowhere, stderr: nowhere, env: {} }),
  };
  return createProgram(
    context,
    commands.map(({ name }) => name),
  );
}
