import { join } from 'node:path';
import { describeField, type FieldSchemaObject } from '@rostergate/config/command';
import type { Command } from 'commander';
import { type AppName, loadProgram } from '../configuration/load-program.ts';
import type { Listed } from '../guarantees/find-gaps.ts';
import { rootFolder } from '../workspace.ts';

/** The part of a zod schema that is used here. */
interface SettingsSchema {
  readonly shape: Readonly<Record<string, { toJSONSchema(options: object): unknown }>>;
}

/** Loads the settings and commands of an app from its sources, without running it. */
export async function loadApp(name: AppName): Promise<Record<'setting' | 'command', readonly Listed[]>> {
  const file = join(rootFolder, 'apps', name, 'src/settings.ts');
  const { settingsSchema }: { settingsSchema: SettingsSchema } = await import(file);
  return { setting: listSettings(settingsSchema), command: listCommands(await loadProgram(name)) };
}

function listSettings({ shape }: SettingsSchema): Listed[] {
  return Object.entries(shape).map(([name, field]) => {
    const schema = field.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as FieldSchemaObject;
    return { name, description: describeField(schema).description };
  });
}

/** Returns the commands that do something; those within a group have both names. */
export function listCommands(parent: Command, before = ''): Listed[] {
  return parent.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    if (command.commands.length > 0) return listCommands(command, `${name} `);
    return [{ name, description: command.description() }];
  });
}
