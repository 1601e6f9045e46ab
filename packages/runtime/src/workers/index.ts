export { type CallHandlers, type Calls, type Channel, createCalls, NoReplyError } from './calls.ts';
export { segmentFiles } from './hit-segment.ts';
export {
  createSharedHitLog,
  type HitLogSnapshot,
  type SharedHitLog,
  type SharedHitLogOptions,
} from './shared-hit-log.ts';
export {
  createSupervisor,
  type Supervisor,
  type SupervisorOptions,
  tickMs,
  type WorkerEvent,
  type WorkerProcess,
} from './supervisor.ts';
