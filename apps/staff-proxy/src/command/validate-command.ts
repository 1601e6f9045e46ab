import { createSettingsFileOption, reportValidity } from '@rostergate/config/command';
import { Command } from 'commander';
import { defaultSettingsFile, findSettingsFile } from '../configuration/settings-file.ts';
import type { CommandContext } from './command-context.ts';

/** `rostergate-staff-proxy validate` */
export function createValidateCommand({ terminal, env }: CommandContext): Command {
  return new Command('validate')
    .description(
      'Checks the settings and the keys file, and reports every fault with file, line and column. It accepts exactly what serve accepts, and sends no request to the upstream.',
    )
    .addOption(createSettingsFileOption(defaultSettingsFile))
    .option('--json', 'print the verdict as JSON')
    .action(async ({ settings, json = false }: { settings?: string; json?: boolean }) => {
      const { loadConfiguration, sizesOf } = await import('../configuration/configuration.ts');
      const settingsFile = findSettingsFile({ settings, env });
      const load = async () => ({
        settings_file: settingsFile.path,
        sizes: sizesOf(await loadConfiguration({ settingsFile, env, args: {} })),
      });
      await reportValidity(load, { out: terminal.out, json });
    });
}
