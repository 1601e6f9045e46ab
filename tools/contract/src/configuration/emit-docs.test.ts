import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { emitCommandsDoc } from './emit-commands-doc.ts';
import { emitConfigurationDoc } from './emit-configuration-doc.ts';
import { emitProxyConfiguration, emitSchedulingConfiguration } from './emit-server-settings.ts';

const object = (properties: object) => ({ type: 'object', description: 'X.', properties });

describe('the page on the configuration', () => {
  const schemas = {
    Settings: object({
      port: { type: 'integer', minimum: 0, maximum: 65535, default: 8000, description: 'Port.', example: 9000 },
      api_keys: { type: 'string', 'x-secret': true, default: '', description: 'Keys.' },
      enable_docs: { type: 'boolean', default: true, description: 'Docs.' },
      issuers: { type: 'array', items: { $ref: '#/components/schemas/Issuer' }, default: [], description: 'Issuers.' },
      agents: { $ref: '#/components/schemas/Agents' },
      plans: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Plan' }, description: 'Plans.' },
    }),
    Issuer: { ...object({ claim: { type: 'string', default: 'sub', description: 'Claim.' } }), required: ['claim'] },
    Agents: object({ tools: { type: 'array', items: { $ref: '#/components/schemas/Tool' } } }),
    Tool: { ...object({ id: { type: 'string', description: 'Id.' } }), required: ['id'] },
    Plan: object({
      limits: { type: 'array', items: { ...object({ per: { type: 'string', enum: ['day'] } }), required: ['per'] } },
      quota: object({ requests: { type: 'integer', minimum: 1 } }),
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

  it('lists the name, bounds, default and an example of each setting', () => {
    expect(page).toContain('| integer, 0 to 65535 | `8000` | `X_PORT` | `--port` |');
    expect(page).toContain('{ "port": 9000 }');
    expect(page).toContain('{ "enable_docs": false }');
  });

  it('lists no option for a secret', () => {
    expect(page).toContain('| text | `""` | `X_API_KEYS` | none: it is a secret |');
    expect(page).not.toContain('--api-keys');
  });

  it('lists every field of a setting or of its entries, and of the objects in them', () => {
    const section = (name: string) => page.split(`### ${name}\n`)[1]?.split('\n#')[0];
    expect(section('port')).not.toContain('| field |');
    expect(section('issuers')).toContain('| `claim` | text | **required** | Claim. |');
    expect(section('agents')).toContain('| `tools[].id` | text | **required** | Id. |');
    expect(section('plans')).toContain('| `limits[].per` | one of day | **required** |');
    expect(section('plans')).toContain('| `quota.requests` | integer, at least 1 | – |');
  });

  it('lists every field of an endpoint', () => {
    expect(page).toContain('| `method` | one of GET, PUT | `"GET"` |');
  });
});

describe('the part on the staff proxy', () => {
  const text = { type: 'string', description: 'Text.' };
  const page = emitProxyConfiguration({
    prefix: 'X_',
    settings: object({
      port: { type: 'integer', minimum: 0, maximum: 65535, default: 8010, description: 'Port.' },
      redis_url: { ...text, default: '', secret: true },
      upstream_url: { ...text, secret: true, commandLine: true },
    }),
    keysFile: object({
      accounts: { type: 'object', additionalProperties: { ...object({ email: text }), required: ['email'] } },
      keys: { type: 'array', items: object({ read_only: { type: 'boolean', default: false, description: 'Reads.' } }) },
    }),
  });

  it('has a row for every setting, and marks those without an option', () => {
    expect(page).toContain('| `port` | integer, 0 to 65535 | `8010` | Port. |');
    expect(page).toContain('| `redis_url` | text | `""` | Text. No option: it is a secret. |');
    expect(page).toContain('| `upstream_url` | text | – | Text. |');
  });

  it('has a row for every field of an account and of a key', () => {
    expect(page).toContain('| `email` | text | **required** | Text. |');
    expect(page).toContain('| `read_only` | true or false | `false` | Reads. |');
  });
});

it('lists every setting of the scheduling API', () => {
  const page = emitSchedulingConfiguration({
    prefix: 'X_',
    settings: { type: 'object', properties: { url: { type: 'string', description: 'URL.', secret: true } } },
  });
  expect(page).toContain('| `url` | text | – | URL. No option: it is a secret. |');
});

it('lists every command with its arguments and options, those within another too', () => {
  const inner = new Command('make')
    .summary('Make')
    .description('Makes a|b.')
    .argument('<file>', 'what to make')
    .requiredOption('--name <name>', 'its name')
    .option('--level <n>', 'how much', '1')
    .addOption(new Option('--hidden').hideHelp());
  const program = new Command('x').description('X.').addCommand(new Command('group').addCommand(inner));
  const page = emitCommandsDoc([
    { program, settingsLink: '[there](x.md)' },
    { program: new Command('y'), settingsLink: '' },
  ]);
  expect(page).toContain('## The command `x`\n');
  expect(page).toContain('### x group\n');
  expect(page).toContain('#### x group make\n\n`x group make <file> [options]`\n');
  expect(page).toContain('## The command `y`\n');
  expect(page).toContain('| `file` | what to make |');
  expect(page).toContain('| `--name <name>` | its name (required) |');
  expect(page).toContain('| `--level <n>` | how much (default: 1) |');
  expect(page).not.toContain('--hidden');
});
