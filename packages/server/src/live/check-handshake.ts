import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/index.ts';
import { ownProtocol, upgradeOf } from './pending-upgrade.ts';

export interface WebSocketPolicy {
  readonly operationId: string;
  /** The origins of pages that may connect, or `*`; clients that are no browsers send no Origin. */
  readonly origins: ReadonlySet<string>;
  /** The most open connections of the operation. */
  readonly connectionsMax: number;
}

/**
 * Checks that a request is a WebSocket handshake of version 13 (RFC 6455 §4.2.1) from an allowed page, and takes its place
 * among the open connections.
 * @throws Problem `upgrade_required`, `malformed_request`, `origin_forbidden` or `unavailable`
 */
export function admitHandshake(req: IncomingMessage, policy: WebSocketPolicy): void {
  const { headers } = req;
  const upgrade = upgradeOf(req);
  if (upgrade === undefined) {
    const remedy = 'Send a WebSocket handshake: GET in HTTP/1.1 with Connection: Upgrade and no body.';
    // A Connection without `close` would keep a connection open whose client waits for its end.
    const isLast = req.httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '');
    const Connection = isLast ? 'Upgrade, close' : 'Upgrade';
    throw new Problem('upgrade_required', remedy, { headers: { Upgrade: 'websocket', Connection } });
  }
  if (headers['sec-websocket-version'] !== '13') {
    throw new Problem('upgrade_required', 'Use version 13 of the WebSocket protocol (RFC 6455).', {
      headers: { Upgrade: 'websocket', Connection: 'Upgrade, close', 'Sec-WebSocket-Version': '13' },
    });
  }
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw new Problem('malformed_request', 'Send 16 bytes in base64 as Sec-WebSocket-Key (RFC 6455 §4.1).');
  }
  if (upgrade.offered.isKeyAlone) {
    throw new Problem('malformed_request', `Offer the subprotocol "${ownProtocol}" beside the key.`);
  }
  const { origin } = headers;
  if (origin !== undefined && !policy.origins.has('*') && !policy.origins.has(origin)) {
    throw new Problem('origin_forbidden', 'Ask the operator to allow pages of this origin to connect.');
  }
  if (!upgrade.takePlace(policy.operationId, policy.connectionsMax)) {
    throw new Problem('unavailable', 'Too many WebSockets of this endpoint are open. Retry later.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** Returns what an upstream's 101 does not fulfil of a handshake (RFC 6455 §4.1); undefined when it accepts it. */
export function findHandshakeFault(
  { headers }: IncomingMessage,
  response: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | undefined {
  const expected = hash('sha1', `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64');
  if (response['Sec-WebSocket-Accept'] !== expected) return 'Sec-WebSocket-Accept does not match Sec-WebSocket-Key.';
  const selected = response['Sec-WebSocket-Protocol'];
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  if (selected !== undefined && !offered.includes(String(selected)))
    return 'A subprotocol was selected that was not offered.';
  return undefined;
}
