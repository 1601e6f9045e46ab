import type { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

export interface RunOptions {
  /** Runs before the server stops accepting connections, to change readiness and stop watchers. */
  readonly beforeClose?: () => void | Promise<void>;
  /** How long requests in flight may take to end. A function is called when the signal arrives. */
  readonly drainMs: number | (() => number);
  /** How long to accept connections after `beforeClose`, so that load balancers notice in time. */
  readonly unreadyMs?: number;
  /** How long an idle connection stays open, for a request that may have been sent. */
  readonly quietMs?: number;
  /** The source of signals; by default the process. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>;
  readonly signalNames?: readonly NodeJS.Signals[];
  /** Called before a second signal closes connections. */
  readonly onCut?: (cut: DrainReport) => void;
}

export interface DrainReport {
  readonly signal: string;
  /** Connections that were still open at the deadline. */
  readonly cutConnections: number;
}

/**
 * Runs a listening server until SIGTERM or SIGINT, then drains it: it accepts no new connections, sends
 * `Connection: close` with every response, lets requests in flight end, and closes the rest at the deadline. A second
 * signal closes them at once. Call it before the first connection.
 */
export async function runUntilSignalled(server: Server, options: RunOptions): Promise<DrainReport> {
  const { beforeClose, unreadyMs = 0, quietMs = 500, signals = process } = options;
  const { signalNames = ['SIGTERM', 'SIGINT'] } = options;
  const sockets = trackSockets(server);
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const { promise: signalled, resolve: resolveSignal } = Promise.withResolvers<string>();
  const cut = new AbortController();
  let isSignalled = false;
  let secondSignal: string | undefined;
  const onSignal = (name: string): void => {
    if (isSignalled) {
      secondSignal ??= name;
      cut.abort();
    }
    isSignalled = true;
    resolveSignal(name);
  };
  for (const name of signalNames) signals.on(name, onSignal);
  try {
    const signal = await signalled;
    const drainMs = typeof options.drainMs === 'number' ? options.drainMs : options.drainMs();
    await beforeClose?.();
    await pause(unreadyMs, cut.signal);
    announceClose(server, sockets);
    // http.Server would close idle connections at once, also one on which a request has just been sent.
    NetServer.prototype.close.call(server);
    const closeIdle = async () => {
      // After the next read of all sockets: a busy process may not have read a request that arrived in time.
      await nextTurn();
      server.closeIdleConnections();
    };
    void pause(Math.min(quietMs, drainMs), cut.signal).then(closeIdle);
    await Promise.race([closed, pause(drainMs, cut.signal)]);
    await closeIdle();
    const cutConnections = [...sockets].filter((socket) => !socket.destroyed).length;
    if (secondSignal !== undefined) options.onCut?.({ signal: secondSignal, cutConnections });
    server.closeAllConnections();
    // Connections in a TLS handshake are not HTTP connections yet.
    for (const socket of sockets) socket.destroy();
    await closed;
    // Stops the timer by which Node checks connections.
    server.close();
    return { signal, cutConnections };
  } finally {
    cut.abort();
    for (const name of signalNames) signals.off(name, onSignal);
  }
}

/** Returns the `onCut` that logs the closed connections, whose requests would leave no line otherwise. */
export function logCut(log: { warn(facts: object, text: string): void }): NonNullable<RunOptions['onCut']> {
  return ({ signal, cutConnections }) =>
    log.warn({ signal, cut_connections: cutConnections }, 'second signal: closing connections with requests in flight');
}

/** Returns all open connections; for TLS the encrypted socket, once the handshake is done. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', track);
  server.on('secureConnection', (socket: Socket & { readonly _parent?: Socket | null }) => {
    if (socket._parent) sockets.delete(socket._parent);
    track(socket);
  });
  return sockets;
}

/** Closes each connection after its response in flight or its next one. */
function announceClose(server: Server, sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) {
    // Node offers no public access to the response in flight on a socket.
    const res = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
    if (!res) continue;
    if (!res.headersSent) res.shouldKeepAlive = false;
    // The header was sent already, so the connection ends after the response without it.
    else res.once('finish', () => socket.end());
  }
  server.prependListener('request', (_req, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return ms <= 0 ? Promise.resolve() : wait(ms, undefined, { signal }).catch(() => undefined);
}
