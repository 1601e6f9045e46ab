import { existsSync } from 'node:fs';
import { CommandFailure, exitCodes } from '@rostergate/runtime/command';
import { loadSettings } from '../load-settings.ts';
import type { Settings } from '../settings.ts';
import { describeDatabaseError } from '../store/database-error.ts';
import { openStore } from '../store/open-store.ts';
import type { OpenStore } from '../store/sqlite-store.ts';
import type { CommandContext } from './command-context.ts';
import type { DatabaseChoice } from './database-options.ts';

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
