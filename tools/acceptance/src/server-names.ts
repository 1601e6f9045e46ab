export const serverNames = ['gateway', 'staff-proxy', 'scheduling'] as const;

export type ServerName = (typeof serverNames)[number];

/** The two servers of the staff contract. */
export const staffServers = ['scheduling', 'staff-proxy'] as const;

export type StaffServer = (typeof staffServers)[number];
