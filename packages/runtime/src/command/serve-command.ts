import { Command, Option } from 'commander';
import type { z } from 'zod';
import { inspectField } from '../config/field-schema.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { describeField, type FieldSchemaObject } from './field-facts.ts';

export interface ServeCommandOptions {
  readonly description: string;
  readonly schema: z.ZodObject;
  /** What environment names begin with. */
  readonly prefix: string;
  /** The file of settings that is read when it is there. */
  readonly file: string;
  /** Command lines that show how it is used. */
  readonly examples: readonly string[];
  /** Runs once the options are read, with the file that `--settings` names. */
  readonly serve: (options: { readonly settings?: string | undefined; readonly args: GivenOptions }) => Promise<void>;
}

/** The command `serve` of a program with a file of settings: an option for each of them. */
export function createServeCommand(options: ServeCommandOptions): Command {
  const { description, schema, prefix, file, examples, serve } = options;
  const command = new Command('serve')
    .description(description)
    .addOption(createSettingsFileOption(file))
    .option('--json', 'tell of faults in JSON; what a running server logs is JSON in any case');
  addSettingsOptions(command, { schema, prefix, file });
  return command
    .addHelpText(
      'after',
      `\nEach setting may stand in ${file} or be given as ${prefix}<SETTING> in the environment instead.` +
        '\nThe command line comes before the environment, and the environment before the file.' +
        `\n\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`,
    )
    .action(({ settings, ...given }: { readonly settings?: string }) =>
      serve({ settings, args: pickSettings(schema, given) }),
    );
}

/** `--settings`, the same for every command of a program. */
export function createSettingsFileOption(file: string): Option {
  return new Option('--settings <file>', `file of settings (default: ${file}, when it is here)`);
}

/** What was given on the command line, by field: text for the settings to read, or true for a bare option. */
export type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

export interface SettingsOptions {
  readonly schema: z.ZodObject;
  /** What environment names begin with. */
  readonly prefix: string;
  /** The file that may hold the settings as well, if there is one. */
  readonly file?: string | undefined;
}

/**
 * Gives a command an option for each setting, with its type, default and bounds. Secrets have none: a command line is
 * shown to every user of the machine. Whoever tries is told where they belong.
 */
export function addSettingsOptions(command: Command, { schema, prefix, file }: SettingsOptions): void {
  for (const [field, inner] of Object.entries(schema.shape)) {
    const name = field.replaceAll('_', '-');
    command.addOption(
      isKeptOffCommandLine(inner)
        ? createRefusal(name, prefix + field.toUpperCase(), file === undefined ? undefined : `${field} in ${file}`)
        : createOption(name, inner),
    );
  }
}

/** Of what commander has read, the settings; by field. */
export function pickSettings(schema: z.ZodObject, options: Readonly<Record<string, unknown>>): GivenOptions {
  const fields = Object.keys(schema.shape);
  return Object.fromEntries(
    fields.map((field) => [field, options[toCamelCase(field)] as string | boolean | undefined]),
  );
}

/** How a command line is told of a setting; undefined where the value is a secret. */
export function optionNameOf(field: string, schema: z.core.$ZodType): string | undefined {
  return isKeptOffCommandLine(schema) ? undefined : `--${field.replaceAll('_', '-')}`;
}

/** `meta({ commandLine: true })` lets through what messages must not repeat, yet is no secret if it is valid. */
function isKeptOffCommandLine(schema: z.core.$ZodType): boolean {
  const meta = (schema as unknown as { meta?: () => { commandLine?: unknown } | undefined }).meta?.();
  return inspectField(schema).isSecret && meta?.commandLine !== true;
}

function createOption(name: string, schema: z.core.$ZodType): Option {
  const facts = describeField(toJsonSchema(schema));
  const { type, bounds, description } = facts;
  const value = facts.default;
  const notes = [
    type.startsWith('one of ') || type.startsWith('list of ') ? type : '',
    bounds,
    value === undefined || value === '""' || value === '[]' ? '' : `default: ${value.replaceAll(/^"|"$/g, '')}`,
  ].filter((note) => note !== '');
  const told = notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
  return new Option(`--${name} ${placeholderOf(type)}`, told).helpGroup('Settings:');
}

/** By the schema's own method: whoever only lists commands does without the library. */
function toJsonSchema(schema: z.core.$ZodType): FieldSchemaObject {
  return (schema as z.ZodType).toJSONSchema({ io: 'input', unrepresentable: 'any' }) as FieldSchemaObject;
}

function placeholderOf(type: string): string {
  if (type === 'true or false') return '[true|false]';
  if (type.startsWith('list of ')) return '<a,b,…>';
  if (type === 'integer' || type === 'number') return '<number>';
  return type.startsWith('one of ') ? '<choice>' : '<text>';
}

function createRefusal(name: string, variable: string, place: string | undefined): Option {
  const remedy = place === undefined ? `set ${variable} in the environment` : `set ${variable}, or ${place}`;
  return new Option(`--${name} <value>`).hideHelp().argParser(() => {
    // Not commander's own error, which would repeat the value.
    const detail = `--${name} is a secret, and a command line is shown to every user of the machine: ${remedy}.`;
    throw new CommandFailure(detail, exitCodes.usage);
  });
}

function toCamelCase(field: string): string {
  return field.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
