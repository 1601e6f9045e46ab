export { type CallHandlers, type Calls, type Channel, createCalls, NoReplyError } from './calls.ts';
export { segmentFiles } from './hit-segment.ts';
export { createSharedHitLog, type HitLogSnapshot, type SharedHitLogOptions } from './shared-hit-log.ts';
export { createSupervisor, tickMs, type WorkerProcess } from './supervisor.ts';
