export { makeFolders, withFileLock, writeWholeFile } from '../files/index.ts';
export { CommandFailure } from './command-failure.ts';
export { withDefaultCommand } from './default-command.ts';
export { parseDuration, parseFuture, parsePast } from './duration.ts';
export { type ExitCode, exitCodeMeanings, exitCodes } from './exit-codes.ts';
export { describeField, type FieldFacts, type FieldSchemaObject } from './field-facts.ts';
export { countFaults, type FormatFaultsOptions, formatFaults, toFaultJson } from './format-faults.ts';
export { createProcessTerminal } from './process-terminal.ts';
export { type CommandEntry, createProgram, type ProgramOptions } from './program.ts';
export { type ProgressOptions, withProgress } from './progress.ts';
export { createProgressBar, type ProgressBar, type ProgressBarOptions } from './progress-bar.ts';
export { resolveHelp } from './resolve-help.ts';
export { type RunCommandOptions, runCommand } from './run-command.ts';
export { type RunProgramOptions, runProgram } from './run-program.ts';
export {
  createServeCommand,
  createSettingsFileOption,
  helpOnExitCodes,
  type ServeCommandOptions,
} from './serve-command.ts';
export { addSettingsOptions, type GivenOptions, optionNameOf, pickSettings } from './settings-options.ts';
export { describeSystemError, isSystemError } from './system-error.ts';
export { createTerminal, type Output, type Style, type Terminal, type TerminalOptions } from './terminal.ts';
export { type Column, formatTable, widthOf } from './text-table.ts';
export { type GoodVerdict, tellVerdict, type VerdictOptions } from './verdict.ts';
