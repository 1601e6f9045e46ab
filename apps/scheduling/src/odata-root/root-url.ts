import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** The path of the root, with its entity set and its documents below. */
export const rootPath = '/v2/';

/**
 * Returns the URL of the root as the client wrote it: clients resolve the links of a response against it. A proxy that
 * ends TLS sends `X-Forwarded-Proto`. Without a Host, as in HTTP/1.0, it is the path.
 */
export function rootUrlFor({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  if (!headers.host) return rootPath;
  const isSecure = (socket as Partial<TLSSocket>).encrypted === true || headers['x-forwarded-proto'] === 'https';
  return `${isSecure ? 'https' : 'http'}://${headers.host}${rootPath}`;
}

/** Returns whether a path belongs to the root: its service document, `$metadata`, `$batch`, or the entity set and all below. */
export function isBelowRoot(path: string): boolean {
  if (!path.startsWith(rootPath)) return false;
  const [first = ''] = path.slice(rootPath.length).split('/', 1);
  return first === ''
    ? path === rootPath
    : /^(?:(?:\$|%24)(?:metadata|batch)|StaffMembers(?:(?:\(|%28).*)?)$/.test(first);
}
