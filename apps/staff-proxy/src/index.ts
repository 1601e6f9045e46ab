export { type App, type AppConfig, type AppDependencies, createApp } from './app.ts';
export { type KeysFile, parseKeysFile, type ServiceAccount } from './keys-file.ts';
export type { StaffKey } from './proxy-keys.ts';
export { type Settings, settingsPrefix, settingsSchema, upstreamOptions } from './settings.ts';
