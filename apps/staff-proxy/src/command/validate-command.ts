import { tellVerdict } from '@rostergate/runtime/command';
import { Command } from 'commander';
import { sizesOf } from '../configuration/configuration.ts';
import { findSettingsFile } from '../configuration/settings-file.ts';
import type { CommandContext } from './command-context.ts';
import { settingsOption } from './settings-option.ts';

/** `rostergate-staff-proxy validate` */
export function createValidateCommand({ terminal, env }: CommandContext): Command {
  return new Command('validate')
    .description(
      'Checks the settings and the keys file, and names every fault with file, line and column. It accepts exactly what serve accepts, and asks nothing of the upstream.',
    )
    .addOption(settingsOption())
    .option('--json', 'print the verdict as JSON')
    .action(async ({ settings, json = false }: { settings?: string; json?: boolean }) => {
      const { loadConfiguration } = await import('../configuration/load-configuration.ts');
      const settingsFile = findSettingsFile({ settings, env });
      const load = async () => ({
        settings_file: settingsFile.path,
        sizes: sizesOf(await loadConfiguration({ settingsFile, env, args: {} })),
      });
      await tellVerdict(load, { out: terminal.out, json });
    });
}
