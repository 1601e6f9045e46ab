import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { emitCommandsDoc } from './emit-commands-doc.ts';
import { emitConfigurationDoc } from './emit-configuration-doc.ts';

const object = (properties: object) => ({ type: 'object', description: 'X.', properties });

describe('the page on the configuration', () => {
  const schemas = {
    Settings: object({
      port: { type: 'integer', minimum: 0, maximum: 65535, default: 8000, description: 'Port.', example: 9000 },
      api_keys: { type: 'string', 'x-secret': true, default: '', description: 'Keys.' },
      enable_docs: { type: 'boolean', default: true, description: 'Docs.' },
    }),
    EndpointsFile: object({}),
    EndpointDefinition: {
      ...object({ method: { type: 'string', enum: ['GET', 'PUT'], default: 'GET' } }),
      required: ['path'],
    },
    ParameterSource: object({}),
    EndpointUpstream: object({}),
    EndpointContract: object({}),
    KeysFile: object({}),
    KeyEntry: object({}),
  };
  const page = emitConfigurationDoc({ schemas, prefix: 'X_' });

  it('tells every name, bound, default and an example of a setting', () => {
    expect(page).toContain('| integer, 0 to 65535 | `8000` | `X_PORT` | `--port` |');
    expect(page).toContain('{ "port": 9000 }');
    expect(page).toContain('{ "enable_docs": false }');
  });

  it('names no option for a secret', () => {
    expect(page).toContain('| text | `""` | `X_API_KEYS` | none: it is a secret |');
    expect(page).not.toContain('--api-keys');
  });

  it('tells every field of an endpoint', () => {
    expect(page).toContain('| `method` | one of GET, PUT | `"GET"` |');
  });
});

it('lists every command with its arguments and options, those within another too', () => {
  const inner = new Command('make')
    .summary('Make')
    .description('Makes a|b.')
    .argument('<file>', 'what to make')
    .requiredOption('--name <name>', 'its name')
    .option('--level <n>', 'how much', '1')
    .addOption(new Option('--hidden').hideHelp());
  const page = emitCommandsDoc(new Command('x').description('X.').addCommand(new Command('group').addCommand(inner)));
  expect(page).toContain('## x group\n');
  expect(page).toContain('### x group make\n\n`x group make <file> [options]`\n');
  expect(page).toContain('| `file` | what to make |');
  expect(page).toContain('| `--name <name>` | its name (needed) |');
  expect(page).toContain('| `--level <n>` | how much (default: 1) |');
  expect(page).not.toContain('--hidden');
});
