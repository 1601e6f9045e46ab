import { CommandFailure, exitCodes, toFaultJson } from '@rostergate/runtime/command';
import { ConfigError } from '@rostergate/runtime/config';
import { Command } from 'commander';
import { sizesOf } from '../configuration.ts';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import type { LoadedGateway } from './load-gateway.ts';

/** `rostergate validate` */
export function createValidateCommand(context: CommandContext): Command {
  const { out } = context.terminal;
  return new Command('validate')
    .description(
      'Checks the whole configuration, services and keys included, and names every fault with file, line and column. It accepts exactly what serve accepts.',
    )
    .addOption(configOption())
    .option('--json', 'print the verdict as JSON')
    .action(async ({ config, json }: { config?: string; json?: true }) => {
      const { loadGateway } = await import('./load-gateway.ts');
      if (!json) {
        const { settingsFile, configuration } = await loadGateway(context, { config, isToServe: true });
        const { endpoints, services, keys } = configuration;
        const counts = [count(endpoints, 'endpoint'), count(services, 'service'), count(keys, 'key')].join(', ');
        out.write(`${out.style('green', 'Good')}: ${settingsFile}, with ${counts}.\n`);
        return;
      }
      const verdict = await loadGateway(context, { config, isToServe: true }).then(goodVerdict, faultyVerdict);
      out.write(`${JSON.stringify(verdict, null, 2)}\n`);
      if (!verdict.valid) throw new CommandFailure('', exitCodes.faulty, { isTold: true });
    });
}

function goodVerdict({ settingsFile, configuration }: LoadedGateway) {
  return {
    valid: true,
    settings_file: settingsFile,
    ...sizesOf(configuration),
    faults: [],
  };
}

function faultyVerdict(error: unknown) {
  if (!(error instanceof ConfigError)) throw error;
  return { valid: false, faults: error.faults.map(toFaultJson) };
}

function count({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}
