import { join } from 'node:path';
import { describeField, type FieldFacts, type FieldSchemaObject, optionNameOf } from '@rostergate/config/command';
import type { AppName } from '../configuration/load-program.ts';
import { rootFolder } from '../workspace.ts';

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
  const module: SettingsModule = await import(join(rootFolder, 'apps', app, 'src/settings.ts'));
  const { settingsSchema, settingsPrefix: prefix = module.environmentPrefix ?? '' } = module;
  const settings = Object.entries(settingsSchema.shape).map(([name, field]) => ({
    ...describeField(field.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as FieldSchemaObject),
    name,
    variable: prefix + name.toUpperCase(),
    option: optionNameOf(name, field as never),
  }));
  return { app, prefix, settings, parse: (value) => void settingsSchema.parse(value) };
}

interface SettingsModule {
  readonly settingsSchema: {
    readonly shape: Readonly<Record<string, { toJSONSchema(options: object): unknown }>>;
    parse(value: unknown): unknown;
  };
  readonly settingsPrefix?: string;
  readonly environmentPrefix?: string;
}
