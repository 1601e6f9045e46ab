export {
  createHealthHandlers,
  type DependencyStatus,
  type HealthHandlers,
  type HealthOptions,
  type ReadinessReply,
} from './health.ts';
export { ListenError, type ListenOptions, listen } from './listen.ts';
export { type DrainReport, type RunOptions, runUntilSignalled } from './run-until-signalled.ts';
