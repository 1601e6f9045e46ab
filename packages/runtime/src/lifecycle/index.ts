export {
  createHealthHandlers,
  type DependencyStatus,
  type HealthHandlers,
  type HealthOptions,
  type ReadinessReply,
} from './health.ts';
export { type HeldSignals, type HoldSignalsOptions, holdSignals, stopSignals } from './hold-signals.ts';
export { ListenError, type ListenOptions, listen, portSettingOf } from './listen.ts';
export { type DrainReport, logCut, type RunOptions, runUntilSignalled } from './run-until-signalled.ts';
export {
  type GuardOptions,
  StrayError,
  type StrayErrorOptions,
  type StrayErrors,
  serveGuarded,
  takeStrayErrors,
  toError,
} from './stray-errors.ts';
