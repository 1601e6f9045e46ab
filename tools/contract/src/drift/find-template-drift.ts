import type { ServerSettings } from './settings-facts.ts';

/** Settings in a file of settings that the server does not have, and values that it would not take. */
export function findTemplateDrift({ settings, parse }: ServerSettings, file: string, text: string): string[] {
  const content = JSON.parse(text) as Record<string, unknown>;
  const given = Object.entries(content).filter(([name]) => name !== '$schema' && !name.startsWith('_'));
  const known = new Set(settings.map(({ name }) => name));
  const unknown = given
    .filter(([name]) => !known.has(name))
    .map(([name]) => `${file} has ${name}, which is no setting`);
  if (unknown.length > 0) return unknown;
  try {
    parse(Object.fromEntries(given));
    return [];
  } catch (error) {
    return [`${file} would not be taken: ${(error as Error).message}`];
  }
}

/** Environment names in a text that no server reads. */
export function findVariableDrift(servers: readonly ServerSettings[], file: string, text: string): string[] {
  const known = new Set([
    ...servers.flatMap(({ settings }) => settings.map(({ variable }) => variable)),
    ...servers.map(({ prefix }) => `${prefix}SETTINGS_FILE`),
    // Where `npm start` keeps its data.
    'ROSTERGATE_LOCAL_DIR',
  ]);
  const named = new Set([...text.matchAll(/\bROSTERGATE_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g)].map(([name]) => name));
  return [...named].filter((name) => !known.has(name)).map((name) => `${file} sets ${name}, which no server reads`);
}
