export { type App, type AppOptions, createApp } from './app.ts';
export type { Configuration } from './configuration/configuration.ts';
export type { Generation } from './generation.ts';
export { type KeysFile, readKeysFile, type ServiceAccount } from './keys/keys-file.ts';
export type { StaffKey } from './keys/proxy-keys.ts';
export { type Settings, settingsPrefix, settingsSchema } from './settings.ts';
