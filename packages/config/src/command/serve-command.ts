import { Command, Option } from 'commander';
import type { z } from 'zod';
import { inspectField } from '../config/check-json-file.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { describeField, type FieldFacts, type FieldSchemaObject } from './field-facts.ts';

export interface ServeCommandOptions {
  readonly description: string;
  readonly schema: z.ZodObject;
  /** The prefix of environment variables. */
  readonly prefix: string;
  /** The settings file, read if it exists. */
  readonly file: string;
  /** Example command lines. */
  readonly examples: readonly string[];
  /** Runs after the options are parsed, with the file that `--settings` names. */
  readonly serve: (options: { readonly settings?: string | undefined; readonly args: GivenOptions }) => Promise<void>;
}

/** Creates the `serve` command of a program, with an option for each setting. */
export function createServeCommand(options: ServeCommandOptions): Command {
  const { description, schema, prefix, file, examples, serve } = options;
  const command = new Command('serve')
    .description(description)
    .addOption(createSettingsFileOption(file))
    .option('--json', 'report faults as JSON (a running server always logs JSON)');
  addSettingsOptions(command, { schema, prefix, file });
  return command
    .addHelpText(
      'after',
      `\nEach setting can also be set in ${file}, or as ${prefix}<SETTING> in the environment.` +
        '\nThe command line overrides the environment, and the environment overrides the file.' +
        `\n\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`,
    )
    .action(({ settings, ...given }: { readonly settings?: string }) =>
      serve({ settings, args: pickSettings(schema, given) }),
    );
}

/** Returns the option `--settings`, the same for every command of a program. */
export function createSettingsFileOption(file: string): Option {
  return new Option('--settings <file>', `settings file (default: ${file}, if it exists)`);
}

/** Settings from the command line, by field: text to be converted, or true for an option without a value. */
export type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

export interface SettingsOptions {
  readonly schema: z.ZodObject;
  /** The prefix of environment variables. */
  readonly prefix: string;
  /** The settings file, if the program has one. */
  readonly file?: string | undefined;
}

/**
 * Adds an option to a command for each setting, with its type, default and bounds. An option for a secret fails with
 * the place to set it: every user of the machine can read a command line.
 */
export function addSettingsOptions(command: Command, { schema, prefix, file }: SettingsOptions): void {
  let properties: Readonly<Record<string, unknown>> | undefined;
  const describe = (field: string) => {
    // The schema's own method, so that listing commands does not load zod. It takes 15 ms of a server's start.
    properties ??= schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }).properties ?? {};
    return describeField(properties[field] as FieldSchemaObject);
  };
  for (const [field, inner] of Object.entries(schema.shape)) {
    const name = field.replaceAll('_', '-');
    command.addOption(
      isSecretSetting(inner)
        ? createSecretOption(name, prefix + field.toUpperCase(), file === undefined ? undefined : `${field} in ${file}`)
        : createOption(name, inner, () => describe(field)),
    );
  }
}

/** Returns the settings among the options that commander has parsed, by field. */
export function pickSettings(schema: z.ZodObject, options: Readonly<Record<string, unknown>>): GivenOptions {
  const fields = Object.keys(schema.shape);
  return Object.fromEntries(
    fields.map((field) => [field, options[toCamelCase(field)] as string | boolean | undefined]),
  );
}

/** Returns the option of a setting; undefined for a secret. */
export function optionNameOf(field: string, schema: z.core.$ZodType): string | undefined {
  return isSecretSetting(schema) ? undefined : `--${field.replaceAll('_', '-')}`;
}

/** `meta({ commandLine: true })` allows a setting that messages must not repeat, although a valid value is no secret. */
function isSecretSetting(schema: z.core.$ZodType): boolean {
  const meta = (schema as unknown as { meta?: () => { commandLine?: unknown } | undefined }).meta?.();
  return inspectField(schema).isSecret && meta?.commandLine !== true;
}

/** Returns an option that is described only when it is given, or when help or an error shows it. */
function createOption(name: string, schema: z.core.$ZodType, describe: () => FieldFacts): Option {
  const isBoolean = inspectField(schema).def.type === 'boolean';
  const option = new Option(`--${name} ${isBoolean ? '[value]' : '<value>'}`).helpGroup('Settings:');
  return Object.defineProperties(option, {
    flags: { get: () => `--${name} ${placeholderOf(describe().type)}` },
    description: { get: () => toHelp(describe()) },
  });
}

function toHelp({ type, bounds, default: value, description }: FieldFacts): string {
  const notes = [
    type.startsWith('one of ') || type.startsWith('list of ') ? type : '',
    bounds,
    value === undefined || value === '""' || value === '[]' ? '' : `default: ${value.replaceAll(/^"|"$/g, '')}`,
  ].filter((note) => note !== '');
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function placeholderOf(type: string): string {
  if (type === 'true or false') return '[true|false]';
  if (type.startsWith('list of ')) return '<a,b,…>';
  if (type === 'integer' || type === 'number') return '<number>';
  return type.startsWith('one of ') ? '<choice>' : '<text>';
}

function createSecretOption(name: string, variable: string, place: string | undefined): Option {
  const instead = place === undefined ? `set ${variable} in the environment` : `set ${variable}, or ${place}`;
  return new Option(`--${name} <value>`).hideHelp().argParser(() => {
    // commander's own error would repeat the value.
    const detail = `--${name} is a secret, and every user of the machine can read a command line: ${instead}.`;
    throw new CommandFailure(detail, exitCodes.usage);
  });
}

function toCamelCase(field: string): string {
  return field.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
