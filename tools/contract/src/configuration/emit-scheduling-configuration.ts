import { noteSecret, table } from './emit-proxy-configuration.ts';
import type { SettingsSchema } from './load-proxy-schemas.ts';

/** Returns the part of the page about the settings of the scheduling API. */
export function emitSchedulingConfiguration({ settings, prefix }: SettingsSchema): string {
  return `## scheduling.json

The settings of the scheduling API. The server reads the file that \`--settings\` names, or \`scheduling.json\` in the working
folder if it exists. Each setting can also be given as \`${prefix}<SETTING>\` in the environment or as an option such as
\`--token-lifetime-s\`; the precedence is that of the gateway. Settings are read at the start only. Every command of
\`rostergate-scheduling\` accepts the settings that name the database.

${table(settings, noteSecret)}`;
}
