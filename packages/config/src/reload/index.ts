export {
  type CheckedConfiguration,
  type ConfigurationSource,
  type ConfigurationSourceOptions,
  createConfigurationSource,
  createSourceFiles,
  loadChecked,
  type ReadConfiguration,
  readTls,
  type SourceFiles,
  type SourceFilesOptions,
  type TextOptions,
  type TlsSettings,
} from './configuration-source.ts';
export {
  createLiveConfiguration,
  type LiveConfiguration,
  type LiveConfigurationOptions,
  type ReloadableConfiguration,
  type RestartRequired,
} from './live-configuration.ts';
export { dependentStatesOf, type Reading, type ReloadState } from './reloader.ts';
export {
  createSourceReader,
  createStatesReader,
  digestOf,
  type FileStamp,
  type FileState,
  type FileStates,
  type ReadOptions,
  readFileState,
  type Source,
  type SourceReader,
} from './source.ts';
export { type SuperviseOptions, supervise } from './supervise.ts';
