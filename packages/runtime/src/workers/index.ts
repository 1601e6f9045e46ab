export { type CallHandlers, type Calls, type Channel, createCalls } from './calls.ts';
export { countForWorker, createParentHitStore } from './parent-hit-store.ts';
export {
  createSupervisor,
  type Supervisor,
  type SupervisorOptions,
  type WorkerEvent,
  type WorkerProcess,
} from './supervisor.ts';
