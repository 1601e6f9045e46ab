import type { KeyRecord } from '@rostergate/access/keys';
import type { z } from 'zod';

/** The scope that the admin API requires. */
export const adminScope = 'admin';

/** The warning of a gateway whose admin API rejects every request. */
export const noAdminKey = `admin_port is set, but no key has the scope ${adminScope}: the admin API rejects every request. Create the first key: rostergate keys create --name admin --scope ${adminScope}`;

/** Whether a key may call the admin API before it expires. */
export function mayAdminister({ scopes, revokedAtMs }: KeyRecord): boolean {
  return scopes.includes(adminScope) && revokedAtMs === undefined;
}

/** Reports an admin API on the public port, which the schema of the settings cannot express. */
export function checkAdminSettings(
  settings: Readonly<{ port?: unknown; admin_port?: unknown }> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  const port = settings?.admin_port;
  if (port === undefined || port === 0 || port !== settings?.port) return;
  const message = 'must differ from port: the admin API has a port of its own';
  context.addIssue({ code: 'custom', path: ['admin_port'], input: port, message });
}
