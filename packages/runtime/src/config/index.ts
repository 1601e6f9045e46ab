export { checkJsonFile } from './check-json-file.ts';
export { ConfigError, type ConfigFault, faultAt, fieldName, type Place } from './config-error.ts';
export { describeIssue } from './describe-issue.ts';
export { didYouMean, suggestField } from './did-you-mean.ts';
export { type JsonFile, type JsonPath, parseJsonFile, parseJsonFileSteps } from './json-file.ts';
export { loadConfigFile } from './load-config-file.ts';
export { loadSettings, type SettingsSources } from './load-settings.ts';
export { type Environment, takeSecrets } from './take-secrets.ts';
export { dropUnknownNames, type UnknownName } from './unknown-names.ts';
