export {
  type CheckedConfiguration,
  type ConfigurationSource,
  type ConfigurationSourceOptions,
  createConfigurationSource,
  loadChecked,
  type ReadConfiguration,
} from './configuration-source.ts';
export {
  digestOf,
  type FileStamp,
  type FileState,
  type ReadFileOptions,
  readFileState,
  stampOf,
} from './file-state.ts';
export { createFileWatcher, type FileWatcher, type FileWatcherOptions, type WatchFolder } from './file-watcher.ts';
export {
  createLiveConfiguration,
  type LiveConfiguration,
  type LiveConfigurationOptions,
  type ReloadableConfiguration,
} from './live-configuration.ts';
export { type ReadAtRest, type ReadAtRestOptions, readAtRest } from './read-at-rest.ts';
export { readTls, type TlsSettings } from './read-tls.ts';
export { createReloadMetrics } from './reload-metrics.ts';
export {
  createReloader,
  fixedOf,
  type Reading,
  type Reloader,
  type ReloaderOptions,
  type ReloadOutcome,
} from './reloader.ts';
export { settingsThatWait, type TakenAtStart } from './restart-settings.ts';
export { createSourceFiles, type SourceFiles, type SourceFilesOptions, type TextOptions } from './source-files.ts';
export {
  createSourceReader,
  createStatesReader,
  type FileStates,
  haveMoved,
  identityOfAll,
  type ReadOptions,
  type Source,
  type SourceReader,
  type SourceReaderOptions,
} from './source-reader.ts';
export { type SuperviseOptions, supervise } from './supervise.ts';
