import type { ServerName } from '../../start-server.ts';
import type { RunningServers } from '../../start-servers.ts';

/** Where a server takes a body of JSON, and what it takes to be let in there. */
export interface Target {
  readonly server: ServerName;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One place at the gateway, and two at each of the others: of anybody, and of an admin. */
export async function bodyTargets({ urls, credentials }: RunningServers): Promise<Target[]> {
  const { GATEWAY_KEY, STAFF_PROXY_ADMIN_KEY } = credentials;
  const token = await logIn(urls.scheduling, credentials);
  const login = { method: 'POST', path: '/v2/login', headers: {} };
  const create = { method: 'POST', path: '/v2/staffmember' };
  return [
    target('gateway', { method: 'POST', path: '/api/echo', headers: { 'X-API-Key': GATEWAY_KEY } }),
    target('staff-proxy', login),
    target('staff-proxy', { ...create, headers: { 'X-API-Key': STAFF_PROXY_ADMIN_KEY } }),
    target('scheduling', login),
    target('scheduling', { ...create, headers: { Authorization: `Bearer ${token}` } }),
  ];

  function target(server: ServerName, rest: Omit<Target, 'server' | 'url'>): Target {
    return { server, url: urls[server], ...rest };
  }
}

/** A token of the admin of the demo company. */
export async function logIn(
  url: string,
  { SCHEDULING_ADMIN_EMAIL: email, SCHEDULING_ADMIN_PASSWORD: password }: RunningServers['credentials'],
): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/v2/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** The head of a request there, without the empty line at its end; it asks for the end of the connection. */
export function headOf({ url, method, path, headers }: Target, more: Readonly<Record<string, string>> = {}): string {
  const fields = { Host: new URL(url).host, Connection: 'close', ...headers, ...more };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`;
}
