export { checkJsonFile, describeIssue, dropUnknownNames, type UnknownName } from './check-json-file.ts';
export { ConfigError, type ConfigFault, faultAt, fieldName, type Place } from './config-error.ts';
export { type JsonFile, type JsonPath, parseJsonFile, parseJsonFileSteps } from './json-file.ts';
export {
  type Environment,
  loadConfigFile,
  loadSettings,
  readFieldsAlone,
  type SettingsSources,
  takeSecrets,
} from './load-settings.ts';
