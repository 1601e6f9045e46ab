export { type CallHandlers, type Calls, type Channel, createCalls } from './calls.ts';
export {
  type CountingWorker,
  type CountReply,
  type CountRequest,
  countForWorker,
  type LateCounts,
} from './count-for-worker.ts';
export type { EndedLease } from './lease.ts';
export { createParentHitStore, type ParentHitStore } from './parent-hit-store.ts';
export { type Borrower, RoomLender } from './room-lender.ts';
export {
  createSupervisor,
  type Supervisor,
  type SupervisorOptions,
  type WorkerEvent,
  type WorkerProcess,
} from './supervisor.ts';
