import type { ServerSettings, SettingFacts } from './settings-facts.ts';

/** The text of a page, help text or schema about each setting, by name. */
export type SettingsView = ReadonlyMap<string, string>;

/** Returns the words that a view must contain about a setting. */
export type ExpectedWords = (setting: SettingFacts) => readonly string[];

/** Returns settings that are on one side only, and words that are missing in the view. */
export function findSettingsDrift(
  settings: readonly SettingFacts[],
  view: SettingsView,
  expectedWords: ExpectedWords,
): string[] {
  const known = new Set(settings.map(({ name }) => name));
  return [
    ...[...view.keys()].filter((name) => !known.has(name)).map((name) => `${name} is described but is not a setting`),
    ...settings.flatMap((setting) => {
      const text = view.get(setting.name);
      if (text === undefined) return [`${setting.name} is a setting but is not described`];
      return expectedWords(setting)
        .filter((words) => !text.includes(words))
        .map((words) => `${setting.name} lacks: ${words}`);
    }),
  ];
}

/** Returns unknown settings and invalid values in a settings file. */
export function findTemplateDrift({ settings, parse }: ServerSettings, file: string, text: string): string[] {
  const content = JSON.parse(text) as Record<string, unknown>;
  const given = Object.entries(content).filter(([name]) => name !== '$schema' && !name.startsWith('_'));
  const known = new Set(settings.map(({ name }) => name));
  const unknown = given
    .filter(([name]) => !known.has(name))
    .map(([name]) => `${file} has ${name}, which is not a setting`);
  if (unknown.length > 0) return unknown;
  try {
    parse(Object.fromEntries(given));
    return [];
  } catch (error) {
    return [`${file} is invalid: ${(error as Error).message}`];
  }
}

/** Returns environment variables in a text that no server reads. */
export function findVariableDrift(servers: readonly ServerSettings[], file: string, text: string): string[] {
  const known = new Set([
    ...servers.flatMap(({ settings }) => settings.map(({ variable }) => variable)),
    ...servers.map(({ prefix }) => `${prefix}SETTINGS_FILE`),
    // The data folder of `npm start`.
    'ROSTERGATE_LOCAL_DIR',
  ]);
  const named = new Set([...text.matchAll(/\bROSTERGATE_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g)].map(([name]) => name));
  return [...named].filter((name) => !known.has(name)).map((name) => `${file} sets ${name}, which no server reads`);
}
