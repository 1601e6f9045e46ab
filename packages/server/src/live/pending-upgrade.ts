import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LiveConnections } from './live-connections.ts';

/** The most bytes that are stored of frames that a client sends before its handshake is accepted. */
const earlyBytesMax = 16 * 1024;

const upgrades = new WeakMap<IncomingMessage, PendingUpgrade>();

/** Returns the connection of a WebSocket handshake; undefined for other requests. */
export function upgradeOf(req: IncomingMessage): PendingUpgrade | undefined {
  return upgrades.get(req);
}

/**
 * Returns whether a request is a WebSocket handshake (RFC 6455 §4.1) that its connection can follow: on HTTP/1.1, without a
 * body, and with no response before it.
 */
export function isHandshake({ method, httpVersion, headers, socket }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    /\bwebsocket\b/i.test(headers.upgrade ?? '') &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0' &&
    (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage == null
  );
}

/** The connection of a WebSocket handshake until it is accepted, or rejected by an ordinary response that ends it. */
export class PendingUpgrade {
  /** What the client offered for this server itself. */
  readonly offered: OwnProtocols;
  readonly #live: LiveConnections;
  readonly #res: ServerResponse;
  readonly #socket: Socket;
  readonly #early: Buffer[];
  #earlyBytes: number;

  constructor(live: LiveConnections, req: IncomingMessage, res: ServerResponse, socket: Socket, head: Buffer) {
    this.offered = takeOwnProtocols(req);
    this.#live = live;
    this.#res = res;
    this.#socket = socket;
    this.#early = head.length > 0 ? [head] : [];
    this.#earlyBytes = head.length;
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.once('finish', this.#onRejected);
    // Node does not emit it on the response of an upgraded connection, which would wait for it forever.
    socket.on('drain', this.#onDrain);
    // Reading detects a client that leaves.
    socket.on('data', this.#onEarly).on('end', this.#onLeft).on('error', ignore).resume();
    upgrades.set(req, this);
  }

  /** Takes one of the `max` places of an operation until the connection is closed; false when all are taken. */
  takePlace(operationId: string, max: number): boolean {
    const free = this.#live.takePlace(operationId, max);
    if (free === undefined) return false;
    this.#socket.once('close', free);
    return true;
  }

  /** Sends the 101 and returns the connection, which is paused and begins with the first frame. */
  accept(headers: Readonly<Record<string, string | number | readonly string[]>>): Socket {
    const [res, socket] = [this.#res, this.#socket];
    res.writeHead(101, { ...headers, Connection: 'Upgrade', Upgrade: 'websocket' } as never);
    res.flushHeaders();
    res.off('finish', this.#onRejected).detachSocket(socket);
    socket.off('data', this.#onEarly).off('end', this.#onLeft).off('drain', this.#onDrain).pause();
    if (this.#early.length > 0) socket.unshift(Buffer.concat(this.#early));
    return socket;
  }

  readonly #onDrain = (): void => void this.#res.emit('drain');

  readonly #onRejected = (): void => {
    this.#res.detachSocket(this.#socket);
    this.#socket.destroySoon();
  };

  readonly #onEarly = (chunk: Buffer): void => {
    this.#early.push(chunk);
    this.#earlyBytes += chunk.length;
    if (this.#earlyBytes > earlyBytesMax) this.#socket.pause();
  };

  readonly #onLeft = (): void => void this.#socket.destroy();
}

const ignore = (): void => {};

/** The subprotocols that a client offers to this server rather than to the upstream. */
interface OwnProtocols {
  /** `rostergate`, which is selected when the upstream selects none. */
  readonly hasOwn: boolean;
  /** A key without any other subprotocol, so that none can be selected. */
  readonly isKeyAlone: boolean;
}

/** A browser sends no headers, so its key or token is the rest of a subprotocol, in base64url. */
const keyPrefix = 'rostergate.key.';
/** Browsers close a WebSocket for which none of the offered subprotocols is selected. */
export const ownProtocol = 'rostergate';

const nothingOffered: OwnProtocols = Object.freeze({ hasOwn: false, isKeyAlone: false });

/** Removes this server's subprotocols from a handshake; a key becomes the header `Authorization`. */
function takeOwnProtocols({ rawHeaders, headers }: IncomingMessage): OwnProtocols {
  const list = headers['sec-websocket-protocol'];
  if (list === undefined) return nothingOffered;
  const offered = list.split(',').map((name) => name.trim());
  const keys = offered.filter((name) => name.startsWith(keyPrefix));
  const others = offered.filter((name) => name !== ownProtocol && !name.startsWith(keyPrefix));
  const hasOwn = offered.includes(ownProtocol);
  if (others.length === offered.length) return nothingOffered;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i]?.toLowerCase() === 'sec-websocket-protocol') rawHeaders.splice(i, 2);
  }
  if (others.length === 0) delete headers['sec-websocket-protocol'];
  else {
    headers['sec-websocket-protocol'] = others.join(', ');
    rawHeaders.push('Sec-WebSocket-Protocol', others.join(', '));
  }
  for (const name of keys) {
    const authorization = `Bearer ${decodeKey(name.slice(keyPrefix.length))}`;
    headers.authorization ??= authorization;
    rawHeaders.push('Authorization', authorization);
  }
  return { hasOwn, isKeyAlone: others.length === 0 && !hasOwn };
}

/** Returns the text of a key; one that is not base64url stays as it is, and matches no key. */
function decodeKey(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.toString('base64url') === encoded ? bytes.toString() : encoded;
}
