export { createRosterHandlers, type RosterHandlers, type RosterHandlersOptions } from './roster-handlers.ts';
