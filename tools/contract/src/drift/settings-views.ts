import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { AppName, ServerSettings, SettingFacts } from '../configuration/load-app.ts';
import { rootFolder } from '../workspace.ts';

/** Where the settings of each server are described. */
const settingsPages: Readonly<Record<AppName, { readonly file: string; readonly heading: string }>> = {
  gateway: { file: 'docs/configuration.md', heading: '## settings.json' },
  scheduling: { file: 'docs/configuration.md', heading: '## scheduling.json' },
  'staff-proxy': { file: 'docs/configuration.md', heading: '## staff-proxy.json' },
};

export function loadPage(app: AppName): string {
  return readFileSync(join(rootFolder, settingsPages[app].file), 'utf8');
}

/** Returns the rows of a table of settings, or the section of each setting. */
export function viewOfPage(app: AppName, page: string): SettingsView {
  const { heading } = settingsPages[app];
  const after = page.slice(page.indexOf(`\n${heading}\n`) + heading.length + 2);
  const part = after.split(/^## /m)[0] ?? '';
  if (app === 'gateway') {
    const sections = part.split(/^### /m).slice(1);
    return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]));
  }
  const table = part.split(/^### /m)[0] ?? '';
  return new Map([...table.matchAll(/^\| `(\w+)` \|.*$/gm)].map(([row, name = '']) => [name, row]));
}

export function wordsOfPage(app: AppName): (setting: SettingFacts) => string[] {
  return ({ type, bounds, default: preset, description, variable, option }) => {
    const facts = [type, bounds, description].map((text) => text.replaceAll('|', '\\|'));
    if (app === 'gateway') return [...facts, defaultCell(preset), `\`${variable}\``, option ?? 'it is a secret'];
    return [...facts, ...(preset === undefined ? [] : [defaultCell(preset)])];
  };
}

function defaultCell(preset: string | undefined): string {
  return preset === undefined ? '| – |' : `| \`${preset}\` |`;
}

/** Returns the help text without line breaks in descriptions. */
export function helpOf(serve: Command): string {
  return serve.configureHelp({ helpWidth: 10_000 }).helpInformation();
}

/** Returns the options below the heading of settings, by the name of the setting. */
export function viewOfHelp(help: string): SettingsView {
  const settings = help.slice(help.indexOf('\nSettings:\n'));
  const lines = [...settings.matchAll(/^ {2}--([\w-]+) .*$/gm)];
  return new Map(lines.map(([line, option = '']) => [option.replaceAll('-', '_'), line]));
}

export function wordsOfHelp({ type, bounds, default: preset, description }: SettingFacts): string[] {
  const plain = preset?.replaceAll(/^"|"$/g, '');
  const expected = plain === undefined || plain === '' || plain === '[]' ? [] : [`default: ${plain})`];
  return [description, bounds, ...(/^(one|list) of /.test(type) ? [type] : []), ...expected];
}

/** Returns the fields of the schema that editors check a settings file with. */
export function viewOfSchema(schema: { readonly properties: Readonly<Record<string, object>> }): SettingsView {
  return new Map(Object.entries(schema.properties).map(([name, field]) => [name, JSON.stringify(field)]));
}

export function wordsOfSchema({ default: preset }: SettingFacts): string[] {
  return preset === undefined ? [] : [`"default":${preset}`];
}

/** The text of a page, help text or schema about each setting, by name. */
type SettingsView = ReadonlyMap<string, string>;

/** Returns the words that a view must contain about a setting. */
type ExpectedWords = (setting: SettingFacts) => readonly string[];

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
    // The key of `rostergate keys --admin-url`.
    'ROSTERGATE_ADMIN_KEY',
  ]);
  const named = new Set([...text.matchAll(/\bROSTERGATE_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g)].map(([name]) => name));
  return [...named].filter((name) => !known.has(name)).map((name) => `${file} sets ${name}, which no server reads`);
}
