import { extname, relative } from 'node:path';
import { writeWholeFile } from '@rostergate/runtime/command';
import { Command, Option } from 'commander';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';

interface Options {
  readonly config?: string;
  readonly format?: 'json' | 'yaml';
  readonly output?: string;
  readonly json?: true;
}

/** `rostergate spec` */
export function createSpecCommand(context: CommandContext): Command {
  const { out, err } = context.terminal;
  return new Command('spec')
    .description(
      'Writes the contract that a gateway with this configuration serves at /openapi.json, for clients, tests and diff.',
    )
    .addOption(configOption())
    .option('-o, --output <file>', 'write it to this file (default: stdout)')
    .addOption(
      new Option('-f, --format <format>', 'json or yaml (default: by the name of the file, else json)').choices([
        'json',
        'yaml',
      ]),
    )
    .option('--json', 'the same as --format json')
    .action(async ({ config, format, output, json }: Options) => {
      const { loadGateway } = await import('./load-gateway.ts');
      const { createSpecText } = await import('../spec/spec-text.ts');
      const { configuration } = await loadGateway(context, { config });
      const isYaml = output !== undefined && /^\.ya?ml$/i.test(extname(output));
      const text = createSpecText(configuration, json ? 'json' : (format ?? (isYaml ? 'yaml' : 'json')));
      if (output === undefined) {
        out.write(text);
        return;
      }
      writeWholeFile(output, text);
      err.write(`Written: ${relative('', output)}\n`);
    });
}
