export { createHealthHandlers, type DependencyStatus, type HealthHandlers } from './health.ts';
export { type HeldSignals, holdSignals, stopSignals } from './hold-signals.ts';
export { ListenError, type ListenOptions, listen, portSettingOf } from './listen.ts';
export { logCut, runUntilSignalled } from './run-until-signalled.ts';
export { handleStrayErrors, StrayError, serveGuarded, toError } from './stray-errors.ts';
