import { existsSync } from 'node:fs';
import {
  addSettingsOptions,
  CommandFailure,
  createSettingsFileOption,
  exitCodes,
  type GivenOptions,
  pickSettings,
  type Terminal,
} from '@rostergate/config/command';
import type { Command } from 'commander';
import type { ScryptCost } from '../accounts/password.ts';
import { defaultSettingsFile, loadSettings, type Settings, settingsPrefix, settingsSchema } from '../settings.ts';
import { describeDatabaseError } from '../store/database-error.ts';
import { openStore } from '../store/open-store.ts';
import type { OpenStore } from '../store/staff-store.ts';

export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly stdin: NodeJS.ReadStream;
  /** The environment of the process; secrets are removed from it once they are read. */
  readonly env: Record<string, string | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** The cost of hashing a password. Tests lower it. */
  readonly passwordCost?: ScryptCost | undefined;
}

const databaseFields = Object.keys(settingsSchema.shape).filter((field) => field.startsWith('database_'));
const databaseSchema = settingsSchema.pick(
  Object.fromEntries(databaseFields.map((field) => [field, true])) as { database_file: true },
);

export function addDatabaseOptions(command: Command): Command {
  command.addOption(createSettingsFileOption(defaultSettingsFile));
  addSettingsOptions(command, { schema: databaseSchema, prefix: settingsPrefix, file: defaultSettingsFile });
  return command.helpOption('-h, --help', 'Show help');
}

export interface DatabaseChoice {
  readonly settingsFile: string | undefined;
  readonly args: GivenOptions;
}

/** Returns the database options among the parsed options. */
export function pickDatabase(options: object): DatabaseChoice {
  const given = options as Readonly<Record<string, unknown>> & { readonly settings?: string };
  return { settingsFile: given.settings, args: pickSettings(databaseSchema, given) };
}

export interface DatabaseUse extends DatabaseChoice {
  /** Whether a missing file is created; otherwise its name is most likely wrong. */
  readonly isMade?: boolean;
}

/**
 * Opens the database, does the work of a command and closes it.
 * @throws ConfigError, and CommandFailure with one line for a database error
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

/** Does the same with settings that are already loaded. */
export async function withOpenDatabase<T>(
  { clock }: CommandContext,
  settings: Settings,
  work: (opened: OpenStore, settings: Settings) => Promise<T>,
): Promise<T> {
  return reportDatabaseErrors(settings, async () => {
    const opened = await openStore(settings, { clock });
    try {
      return await work(opened, settings);
    } finally {
      await opened.store.close();
    }
  });
}

/** Loads the settings of a command other than `serve`. */
export function loadDatabaseSettings({ env }: CommandContext, { settingsFile, args }: DatabaseChoice): Settings {
  const settings = loadSettings({ env, args, settingsFile });
  if (settings.database_url === undefined && settings.database_file === ':memory:') {
    const detail = 'An in-memory database exists only in its server. Set database_file to a file, or use serve.';
    throw new CommandFailure(detail, exitCodes.usage);
  }
  return settings;
}

/** Rejects a missing file: a command that only reads does not create it. */
export function requireDatabase({ database_url, database_file }: Settings): void {
  if (database_url !== undefined || existsSync(database_file)) return;
  throw new CommandFailure(
    `${database_file}: There is no such database. Name it with --database-file, or create it with: rostergate-scheduling migrate`,
    exitCodes.invalid,
  );
}

/** Reports a database error as one line, because it is no defect of the program. */
export async function reportDatabaseErrors<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = describeDatabaseError(error, settings);
    if (message === undefined) throw error;
    throw new CommandFailure(message, exitCodes.failed, { cause: error });
  }
}

/** Returns the parser of an option that takes a whole number in a range. */
export function parseCount(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new CommandFailure(`${option} needs a whole number from ${min} to ${max}.`, exitCodes.usage);
  };
}
