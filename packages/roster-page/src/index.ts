export type { RosterHandlers, RosterHandlersOptions } from './roster-handlers.ts';
export { createRosterHandlers } from './roster-handlers.ts';
