import type { KeyRecord } from '@rostergate/access/keys';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import type { z } from 'zod';

/** The scope that the admin API requires. */
export const adminScope = 'admin';

/** Returns the warnings of a configuration with an admin API that no key may call, or more than those of administrators. */
export function findAdminWarnings({ settings, keys, endpoints }: WarningsOptions): readonly string[] {
  const { admin_port: port, key_store_url: storeUrl } = settings;
  if (port === 0) return [];
  const warnings: string[] = [];
  const mayCall = ({ scopes, revokedAtMs }: KeyRecord) => scopes.includes(adminScope) && revokedAtMs === undefined;
  // Another process may create keys in a store.
  if (storeUrl === '' && !keys.some(mayCall)) {
    warnings.push(
      `admin_port is set, but no key has the scope ${adminScope}: the admin API rejects every request. Create the first key: rostergate keys create --name admin --scope ${adminScope}`,
    );
  }
  const endpoint = endpoints.find(({ scopes }) => scopes.includes(adminScope));
  if (endpoint !== undefined) {
    warnings.push(
      `${endpoint.method.toUpperCase()} ${endpoint.path} requires the scope ${adminScope}, which is also that of the admin API: its keys can create and revoke keys. Name another scope in the endpoint.`,
    );
  }
  return warnings;
}

interface WarningsOptions {
  readonly settings: Pick<Settings, 'admin_port' | 'key_store_url'>;
  readonly keys: readonly KeyRecord[];
  readonly endpoints: readonly Pick<Endpoint, 'method' | 'path' | 'scopes'>[];
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
