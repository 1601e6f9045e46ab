import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRecordingTerminal } from '../../test/recording-terminal.ts';
import { runCommand } from './run-command.ts';
import {
  addSettingsOptions,
  createServeCommand,
  type GivenOptions,
  optionNameOf,
  type ServeCommandOptions,
} from './serve-command.ts';

const schema = z.strictObject({
  port: z.int().min(0).max(65_535).default(8000).describe('Port to listen on.'),
  api_keys: z.string().default('').meta({ secret: true, description: 'Keys.' }),
  enable_docs: z.boolean().default(true).describe('Serve the docs.'),
  routers: z
    .array(z.enum(['a', 'b']))
    .default(['a'])
    .describe('Groups.'),
  upstream_url: z.string().meta({ secret: true, commandLine: true, description: 'Address.' }),
});

async function run(...args: readonly string[]) {
  let given: GivenOptions | undefined;
  const serve: ServeCommandOptions['serve'] = async ({ args }) => {
    given = args;
  };
  const command = createServeCommand({
    ...{ description: 'Serves.', schema, prefix: 'X_', file: 'x.json', examples: ['x serve'], serve },
  });
  const terminal = createRecordingTerminal();
  return { code: await runCommand(command, { args, terminal }), given, ...terminal.output() };
}

describe('options for settings', () => {
  it('are returned by field as text', async () => {
    const { code, given } = await run('--port', '9', '--enable-docs', '--routers', 'a,b');
    expect(code).toBe(0);
    expect(given).toEqual({
      port: '9',
      enable_docs: true,
      routers: 'a,b',
      api_keys: undefined,
      upstream_url: undefined,
    });
  });

  it('take a value as their help shows it', () => {
    const command = new Command('serve');
    addSettingsOptions(command, { schema, prefix: 'X_' });
    const kindOf = ({ required, optional, variadic }: Option) => ({ required, optional, variadic });
    const shown = command.options.filter(({ hidden }) => !hidden);
    expect(shown.map(({ long }) => long)).toEqual(['--port', '--enable-docs', '--routers', '--upstream-url']);
    for (const option of shown) expect(kindOf(option), option.flags).toEqual(kindOf(new Option(option.flags)));
  });

  it('show type, bounds and default in the help', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect(out).toMatch(/--port <number> +Port to listen on\. \(0 to 65535; default: 8000\)/);
    expect(out).toMatch(/--enable-docs \[true\|false\] +Serve the docs\. \(default: true\)/);
    expect(out).toMatch(/--routers <a,b,…> +Groups\. \(list of one of a, b; default: \["a"\]\)/);
  });

  it.each([[['--api-keys', 'canary']], [['--api-keys=canary']], [['--port', '1', '--api-keys', 'canary']]])(
    'reject a secret without repeating it: %j',
    async (args) => {
      const { code, given, out, err } = await run(...args);
      expect({ code, given }).toEqual({ code: 2, given: undefined });
      expect(err).toContain('X_API_KEYS');
      expect(out + err).not.toContain('canary');
    },
  );

  it('do not repeat the value of a misspelled option', async () => {
    const { code, err } = await run('--api_keys=canary');
    expect(code).toBe(2);
    expect(err).toContain("'--api_keys'");
    expect(err).not.toContain('canary');
  });

  it('omit secrets from the help, but not a setting with commandLine: true', async () => {
    const { out } = await run('--help');
    expect(out).not.toContain('--api-keys');
    expect(out).toContain('--upstream-url');
    expect(optionNameOf('api_keys', schema.shape.api_keys)).toBeUndefined();
    expect(optionNameOf('upstream_url', schema.shape.upstream_url)).toBe('--upstream-url');
  });

  it('suggest a similar name', async () => {
    const { code, err } = await run('--prot', '1');
    expect(code).toBe(2);
    expect(err).toContain('--port');
  });
});

it('runs subcommands by the same rules', async () => {
  const program = new Command('x').addCommand(new Command('inner').action(() => undefined));
  const terminal = createRecordingTerminal();
  expect(await runCommand(program, { args: ['iner'], terminal })).toBe(2);
  expect(terminal.output().err).toContain('Did you mean inner?');
});
