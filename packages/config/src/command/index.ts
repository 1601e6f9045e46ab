export { makeFolders, withFileLock, writeWholeFile } from '../files/index.ts';
export {
  CommandFailure,
  describeSystemError,
  type ExitCode,
  exitCodeMeanings,
  exitCodes,
  isSystemError,
} from './command-failure.ts';
export { parseDuration, parseFuture, parsePast } from './duration.ts';
export { describeField, type FieldFacts, type FieldSchemaObject } from './field-facts.ts';
export { type FormatFaultsOptions, formatFaults, toFaultJson } from './format-faults.ts';
export {
  type CommandEntry,
  createProgram,
  type ProgramOptions,
  type RunProgramOptions,
  runProgram,
  withDefaultCommand,
} from './program.ts';
export {
  createProgressBar,
  type ProgressBar,
  type ProgressBarOptions,
  type ProgressOptions,
  withProgress,
} from './progress.ts';
export { type ReportValidityOptions, reportValidity, type ValidConfiguration } from './report-validity.ts';
export { type RunCommandOptions, runCommand } from './run-command.ts';
export {
  addSettingsOptions,
  createServeCommand,
  createSettingsFileOption,
  type GivenOptions,
  optionNameOf,
  pickSettings,
  type ServeCommandOptions,
} from './serve-command.ts';
export {
  createProcessTerminal,
  createTerminal,
  type ListeningAddress,
  type Output,
  type Style,
  type Terminal,
  writeAddress,
} from './terminal.ts';
export { type Column, formatTable } from './text-table.ts';
