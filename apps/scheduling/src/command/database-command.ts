import { existsSync } from 'node:fs';
import {
  addSettingsOptions,
  CommandFailure,
  createSettingsFileOption,
  exitCodes,
  type GivenOptions,
  pickSettings,
  type Terminal,
} from '@rostergate/runtime/command';
import type { Command } from 'commander';
import { defaultSettingsFile, loadSettings, type Settings, settingsPrefix, settingsSchema } from '../settings.ts';
import { describeDatabaseError } from '../store/database-error.ts';
import { openStore } from '../store/open-store.ts';
import type { OpenStore } from '../store/staff-store.ts';

/** What every command is given of the world. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly stdin: NodeJS.ReadStream;
  /** The environment of the process; what is secret in it is taken out once it is read. */
  readonly env: Record<string, string | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
}

const databaseFields = Object.keys(settingsSchema.shape).filter((field) => field.startsWith('database_'));
const databaseSchema = settingsSchema.pick(
  Object.fromEntries(databaseFields.map((field) => [field, true])) as { database_file: true },
);

/** Gives a command what it takes to find the database. */
export function addDatabaseOptions(command: Command): Command {
  command.addOption(createSettingsFileOption(defaultSettingsFile));
  addSettingsOptions(command, { schema: databaseSchema, prefix: settingsPrefix, file: defaultSettingsFile });
  return command.helpOption('-h, --help', 'Show help');
}

/** What a command was given to find the database by. */
export interface DatabaseChoice {
  readonly settingsFile: string | undefined;
  readonly args: GivenOptions;
}

/** Of what commander has read, the choice of the database. */
export function pickDatabase(options: object): DatabaseChoice {
  const given = options as Readonly<Record<string, unknown>> & { readonly settings?: string };
  return { settingsFile: given.settings, args: pickSettings(databaseSchema, given) };
}

export interface DatabaseUse extends DatabaseChoice {
  /** Whether a file that is not there is made; otherwise its name is most likely wrong. */
  readonly isMade?: boolean;
}

/**
 * Does the work of a command in its database, which is closed afterwards.
 * @throws ConfigError, and CommandFailure in a line for what the database has against it
 */
export async function withDatabase<T>(
  context: CommandContext,
  { isMade = false, ...choice }: DatabaseUse,
  work: (opened: OpenStore, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = loadDatabaseSettings(context, choice);
  if (!isMade) requireDatabase(settings);
  return withOpenDatabase(context, settings, work);
}

/** The same where the settings are known already. */
export async function withOpenDatabase<T>(
  { clock }: CommandContext,
  settings: Settings,
  work: (opened: OpenStore, settings: Settings) => Promise<T>,
): Promise<T> {
  return tellDatabaseFaults(settings, async () => {
    const opened = await openStore(settings, { clock });
    try {
      return await work(opened, settings);
    } finally {
      await opened.store.close();
    }
  });
}

/** The settings of a command other than `serve`. */
export function loadDatabaseSettings({ env }: CommandContext, { settingsFile, args }: DatabaseChoice): Settings {
  const settings = loadSettings({ env, args, settingsFile });
  if (settings.database_url === undefined && settings.database_file === ':memory:') {
    const detail = 'A database in memory ends with its server: set database_file to a file, or use serve.';
    throw new CommandFailure(detail, exitCodes.usage);
  }
  return settings;
}

/** A file that is not there is not made by whoever only wants to look into it. */
export function requireDatabase({ database_url, database_file }: Settings): void {
  if (database_url !== undefined || existsSync(database_file)) return;
  throw new CommandFailure(
    `${database_file}: There is no such database. Name it with --database-file, or make it: rostergate-scheduling migrate`,
    exitCodes.faulty,
  );
}

/** What a database has against a command is a line for people, and no defect of the program. */
export async function tellDatabaseFaults<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const told = describeDatabaseError(error, settings);
    if (told === undefined) throw error;
    throw new CommandFailure(told, exitCodes.failed, { cause: error });
  }
}

/** Makes the reader of an option that takes a whole number within bounds. */
export function parseCount(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new CommandFailure(`${option} takes a whole number from ${min} to ${max}.`, exitCodes.usage);
  };
}
