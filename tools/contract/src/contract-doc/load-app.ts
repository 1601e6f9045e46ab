import { join } from 'node:path';
import { type AppName, loadProgram } from '../configuration/load-program.ts';
import type { Listed } from '../guarantees/find-gaps.ts';
import { listCommands } from '../guarantees/list-commands.ts';
import { rootFolder } from '../workspace.ts';
import { listSettings, type SettingsSchema } from './list-settings.ts';

/** The settings and commands of an app, from its sources; nobody runs it here. */
export async function loadApp(name: AppName): Promise<Record<'setting' | 'command', readonly Listed[]>> {
  const file = join(rootFolder, 'apps', name, 'src/settings.ts');
  const { settingsSchema }: { settingsSchema: SettingsSchema } = await import(file);
  return { setting: listSettings(settingsSchema), command: listCommands(await loadProgram(name)) };
}
