export {
  definePolicy,
  defineRawService,
  defineService,
  type PolicyContext,
  type RawHandler,
  type RawRequest,
  type Service,
  type ServiceContext,
  type ServiceInput,
  z,
} from '@rostergate/endpoints';
export type { Reply } from '@rostergate/server';
export { Problem } from '@rostergate/server/problem';
export { type App, type AppOptions, createApp } from './app.ts';
export { type ConfigurationOptions, loadConfiguration } from './configuration-reader.ts';
export type { Generation } from './generation.ts';
export { type BuiltInServicesOptions, createBuiltInServices, describeBuiltInServices } from './services/index.ts';
export { readSettings } from './settings.ts';
export { settingsSchema } from './settings-file.ts';
export type { Configuration } from './sources/read-sources.ts';
