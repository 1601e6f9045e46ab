import type { ServerName } from './start-server.ts';

export const serverNames = ['gateway', 'staff-proxy', 'scheduling'] as const satisfies readonly ServerName[];

/** The two servers of the staff contract. */
export const staffServers = ['scheduling', 'staff-proxy'] as const;

export type StaffServer = (typeof staffServers)[number];
