import type { ServerName } from './start-server.ts';

export const serverNames: readonly ServerName[] = ['gateway', 'staff-proxy', 'scheduling'];

/** The two servers of the staff contract. */
export const staffServers = ['scheduling', 'staff-proxy'] as const;

export type StaffServer = (typeof staffServers)[number];
