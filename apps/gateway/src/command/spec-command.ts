import { extname, relative } from 'node:path';
import { writeWholeFile } from '@rostergate/config/command';
import { Command, Option } from 'commander';
import type { Configuration } from '../sources/read-sources.ts';
import { type CommandContext, configOption } from './command-context.ts';

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
    .description('Writes the OpenAPI document that the gateway serves at /openapi.json with this configuration.')
    .addOption(configOption())
    .option('-o, --output <file>', 'the file to write (default: stdout)')
    .addOption(
      new Option('-f, --format <format>', 'json or yaml (default: from the file name, else json)').choices([
        'json',
        'yaml',
      ]),
    )
    .option('--json', 'the same as --format json')
    .action(async ({ config, format, output, json }: Options) => {
      const { loadGateway } = await import('./load-gateway.ts');
      const { configuration } = await loadGateway(context, { config });
      const isYaml = output !== undefined && /^\.ya?ml$/i.test(extname(output));
      const text = await createSpecText(configuration, json ? 'json' : (format ?? (isYaml ? 'yaml' : 'json')));
      if (output === undefined) {
        out.write(text);
        return;
      }
      writeWholeFile(output, text);
      err.write(`Written: ${relative('', output)}\n`);
    });
}

/** Returns the OpenAPI document of a configuration as text. */
export async function createSpecText(
  { settings, endpoints }: Pick<Configuration, 'settings' | 'endpoints'>,
  format: 'json' | 'yaml',
): Promise<string> {
  const { createServedDocument } = await import('../served-document.ts');
  const document = createServedDocument(settings, endpoints);
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  const { stringify } = await import('yaml');
  // OpenAPI has no YAML aliases: repeated objects are written out.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
