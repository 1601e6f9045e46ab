import { join } from 'node:path';
import {
  createTerminal,
  describeField,
  type FieldFacts,
  type FieldSchemaObject,
  optionNameOf,
} from '@rostergate/config/command';
import type { Command } from 'commander';
import type { Listed } from '../reports/read-operations.ts';
import type { JsonObject } from '../spec/openapi-document.ts';
import { rootFolder } from '../workspace.ts';

/** The apps that have a command, in the order of the pages about them. */
export const appNames = ['gateway', 'scheduling', 'staff-proxy'] as const;

export type AppName = (typeof appNames)[number];

/** Loads the commands of an app with their options, without running one. */
export async function loadProgram(app: AppName): Promise<Command> {
  const folder = join(rootFolder, 'apps', app, 'src/command');
  type Program = { createProgram: (context: unknown, args: readonly string[]) => Promise<Command> };
  const { createProgram }: Program = await import(join(folder, 'program.ts'));
  const { commands }: { commands: readonly { name: string }[] } = await import(join(folder, 'commands.ts'));
  const nowhere = { write: () => undefined };
  const context = {
    ...{ version: '', env: {}, clock: Date.now, stdin: process.stdin },
    ...{ random: () => new Uint8Array(), randomBytes: () => Buffer.alloc(0) },
    terminal: createTerminal({ stdout: nowhere, stderr: nowhere, env: {} }),
  };
  return createProgram(
    context,
    commands.map(({ name }) => name),
  );
}

/** Returns the commands that do something; those within a group have both names. */
export function listCommands(parent: Command, before = ''): Listed[] {
  return parent.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    if (command.commands.length > 0) return listCommands(command, `${name} `);
    return [{ name, description: command.description() }];
  });
}

/** A setting, as the code of a server defines it. */
export interface SettingFacts extends FieldFacts {
  readonly name: string;
  readonly variable: string;
  /** Undefined for a secret, which is never a command-line option. */
  readonly option: string | undefined;
}

export interface ServerSettings {
  readonly app: AppName;
  /** Prefix of environment variables. */
  readonly prefix: string;
  readonly settings: readonly SettingFacts[];
  /** Parses a settings file. Throws when it is invalid. */
  readonly parse: (value: unknown) => void;
}

/** Loads the settings of a server from its code. All descriptions must match them. */
export async function loadServerSettings(app: AppName): Promise<ServerSettings> {
  const { settingsSchema, prefix } = await importSettings(app);
  const settings = Object.entries(settingsSchema.shape).map(([name, field]) => ({
    ...describeField(field.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as FieldSchemaObject),
    name,
    variable: prefix + name.toUpperCase(),
    option: optionNameOf(name, field as never),
  }));
  return { app, prefix, settings, parse: (value) => void settingsSchema.parse(value) };
}

/** Loads the settings and commands of an app from its sources, without running it. */
export async function loadApp(name: AppName): Promise<Record<'setting' | 'command', readonly Listed[]>> {
  const { settings } = await loadServerSettings(name);
  return { setting: settings, command: listCommands(await loadProgram(name)) };
}

/** The settings of a server as JSON Schema draft 7. */
export interface SettingsSchema {
  readonly settings: JsonObject;
  /** Prefix of environment variables. */
  readonly prefix: string;
}

/** The files of the staff proxy as JSON Schema draft 7. */
export interface ProxySchemas extends SettingsSchema {
  readonly keysFile: JsonObject;
}

/** Loads the schema of a server's settings from its sources. */
export async function loadSettingsSchema(app: AppName): Promise<SettingsSchema> {
  const { settingsSchema, prefix } = await importSettings(app);
  return { settings: toDraft7(settingsSchema), prefix };
}

/** Loads the schemas of both files of the staff proxy from its sources. */
export async function loadProxySchemas(): Promise<ProxySchemas> {
  const file = join(rootFolder, 'apps/staff-proxy/src/keys/keys-file-schema.ts');
  const { keysFileSchema }: { keysFileSchema: ZodSchema } = await import(file);
  return { ...(await loadSettingsSchema('staff-proxy')), keysFile: toDraft7(keysFileSchema) };
}

/** The part of a zod schema that is used here. */
interface ZodSchema {
  toJSONSchema(options: object): unknown;
}

interface SettingsModule {
  readonly settingsSchema: ZodSchema & {
    readonly shape: Readonly<Record<string, ZodSchema>>;
    parse(value: unknown): unknown;
  };
  readonly settingsPrefix?: string;
  readonly environmentPrefix?: string;
}

async function importSettings(app: AppName): Promise<SettingsModule & { readonly prefix: string }> {
  const module: SettingsModule = await import(join(rootFolder, 'apps', app, 'src/settings.ts'));
  const { settingsSchema, settingsPrefix, environmentPrefix = '' } = module;
  return { settingsSchema, prefix: settingsPrefix ?? environmentPrefix };
}

function toDraft7(schema: ZodSchema): JsonObject {
  const json = schema.toJSONSchema({ target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = allowNotes(json) as JsonObject;
  return rest;
}

/** Allows `$schema` and names that begin with `_` in objects without unknown names, as the proxy does. */
function allowNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allowNotes);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonObject;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, allowNotes(each)]));
  return schema.additionalProperties === false ? { ...inner, patternProperties: { '^(_|\\$schema$)': {} } } : inner;
}

/** Returns a schema for publication, without the marks that only our own code reads. */
export function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== 'object' || value === null) return value;
  // A property may have the name of a mark; its value is then a schema.
  const remaining = Object.entries(value).filter(
    ([key, each]) => !marks.has(key) || (typeof each === 'object' && each !== null),
  );
  return Object.fromEntries(remaining.map(([key, each]) => [key, withoutMarks(each)]));
}

const marks: ReadonlySet<string> = new Set(['secret', 'commandLine', 'patternMessage']);
