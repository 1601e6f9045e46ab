export {
  type CheckedConfiguration,
  type ConfigurationSource,
  type ConfigurationSourceOptions,
  createConfigurationSource,
  loadChecked,
  type ReadConfiguration,
} from './configuration-source.ts';
export { digestOf, type FileStamp, type FileState, readFileState } from './file-state.ts';
export {
  createLiveConfiguration,
  type LiveConfiguration,
  type LiveConfigurationOptions,
  type ReloadableConfiguration,
  type RestartRequired,
} from './live-configuration.ts';
export { readTls, type TlsSettings } from './read-tls.ts';
export { dependentStatesOf, type Reading } from './reloader.ts';
export type { ReadOptions, Source } from './source.ts';
export {
  createSourceFiles,
  createSourceReader,
  createStatesReader,
  type FileStates,
  type SourceFiles,
  type SourceFilesOptions,
  type SourceReader,
  type SourceReaderOptions,
  type TextOptions,
} from './source-files.ts';
export { type SuperviseOptions, supervise } from './supervise.ts';
