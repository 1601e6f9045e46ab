import { reportValidity } from '@rostergate/config/command';
import { Command } from 'commander';
import { sizesOf } from '../sources/read-sources.ts';
import { type CommandContext, configOption } from './command-context.ts';

/** `rostergate validate` */
export function createValidateCommand(context: CommandContext): Command {
  const { out } = context.terminal;
  return new Command('validate')
    .description(
      'Checks the whole configuration, including services and keys, and reports every fault with file, line and column. It accepts exactly what serve accepts.',
    )
    .addOption(configOption())
    .option('--json', 'print the result as JSON')
    .action(async ({ config, json = false }: { config?: string; json?: boolean }) => {
      const [{ loadGateway }, { findCostlySchemas }, { endpointsToOpenApi }] = await Promise.all([
        import('./load-gateway.ts'),
        import('@rostergate/server'),
        import('@rostergate/endpoints'),
      ]);
      const load = async () => {
        const { settingsFile, configuration, notes } = await loadGateway(context, { config, isToServe: true });
        const warnings = [...notes, ...findCostlySchemas(endpointsToOpenApi(configuration.endpoints))];
        return { settings_file: settingsFile, sizes: sizesOf(configuration), warnings };
      };
      await reportValidity(load, { out, json });
    });
}
