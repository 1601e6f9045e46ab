import { createConfigurationSchema, type Settings } from '@rostergate/endpoints/configuration';

/** Before the upper-case name of a setting in the environment. */
export const environmentPrefix = 'ROSTERGATE_';

/** settings.json as the contract has it: types, defaults, bounds and descriptions come from there. */
export const settingsSchema = createConfigurationSchema<Settings>('Settings');
