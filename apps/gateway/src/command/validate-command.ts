import { tellVerdict } from '@rostergate/runtime/command';
import { Command } from 'commander';
import { sizesOf } from '../configuration.ts';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';

/** `rostergate validate` */
export function createValidateCommand(context: CommandContext): Command {
  const { out } = context.terminal;
  return new Command('validate')
    .description(
      'Checks the whole configuration, services and keys included, and names every fault with file, line and column. It accepts exactly what serve accepts.',
    )
    .addOption(configOption())
    .option('--json', 'print the verdict as JSON')
    .action(async ({ config, json = false }: { config?: string; json?: boolean }) => {
      const { loadGateway } = await import('./load-gateway.ts');
      const load = async () => {
        const { settingsFile, configuration } = await loadGateway(context, { config, isToServe: true });
        return { settings_file: settingsFile, sizes: sizesOf(configuration) };
      };
      await tellVerdict(load, { out, json });
    });
}
