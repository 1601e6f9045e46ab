import type { ServerName } from '../../start-server.ts';
import type { RunningServers } from '../../start-servers.ts';
import { logIn } from '../ask-as.ts';

/** An operation that takes a JSON body, with its credentials. */
export interface Target {
  readonly server: ServerName;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns one operation of the gateway, and two of each other server: the public login and one for admins. */
export async function bodyTargets({ urls, credentials }: RunningServers): Promise<Target[]> {
  const { GATEWAY_KEY, STAFF_PROXY_ADMIN_KEY, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD } = credentials;
  const admin = await logIn(urls.scheduling, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD);
  const login = { method: 'POST', path: '/v2/login', headers: {} };
  const create = { method: 'POST', path: '/v2/staffmember' };
  return [
    target('gateway', { method: 'POST', path: '/api/echo', headers: { 'X-API-Key': GATEWAY_KEY } }),
    target('staff-proxy', login),
    target('staff-proxy', { ...create, headers: { 'X-API-Key': STAFF_PROXY_ADMIN_KEY } }),
    target('scheduling', login),
    target('scheduling', { ...create, headers: admin }),
  ];

  function target(server: ServerName, rest: Omit<Target, 'server' | 'url'>): Target {
    return { server, url: urls[server], ...rest };
  }
}

/** Returns the head of a request with Connection: close, without the empty line at its end. */
export function headOf({ url, method, path, headers }: Target, more: Readonly<Record<string, string>> = {}): string {
  const fields = { Host: new URL(url).host, Connection: 'close', ...headers, ...more };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`;
}
