import type { SettingFacts } from './settings-facts.ts';

/** What a page, a help text or a schema says of settings: the text on each, by its name. */
export type SettingsView = ReadonlyMap<string, string>;

/** The words that a view has to have on a setting. */
export type ExpectedWords = (setting: SettingFacts) => readonly string[];

/** Settings that only one side knows, and what a view should say of the others and does not. */
export function findSettingsDrift(
  settings: readonly SettingFacts[],
  view: SettingsView,
  expectedWords: ExpectedWords,
): string[] {
  const known = new Set(settings.map(({ name }) => name));
  return [
    ...[...view.keys()].filter((name) => !known.has(name)).map((name) => `${name} is told of and is no setting`),
    ...settings.flatMap((setting) => {
      const text = view.get(setting.name);
      if (text === undefined) return [`${setting.name} is a setting and is not told of`];
      return expectedWords(setting)
        .filter((words) => !text.includes(words))
        .map((words) => `${setting.name} should say: ${words}`);
    }),
  ];
}
