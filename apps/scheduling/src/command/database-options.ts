import {
  addSettingsOptions,
  createSettingsFileOption,
  type GivenOptions,
  pickSettings,
} from '@rostergate/runtime/command';
import type { Command } from 'commander';
import { defaultSettingsFile } from '../load-settings.ts';
import { settingsPrefix, settingsSchema } from '../settings.ts';

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
