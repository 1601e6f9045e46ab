export const serverNames = ['gateway', 'staff-proxy', 'scheduling'] as const;

export type ServerName = (typeof serverNames)[number];

export type StaffServer = Exclude<ServerName, 'gateway'>;

/** The two servers of the staff contract. With PostgreSQL only the scheduling API, because the proxy has no database. */
export const staffServers: readonly StaffServer[] =
  process.env.TEST_WITH === 'postgres' ? ['scheduling'] : ['scheduling', 'staff-proxy'];
