import type { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface RunOptions {
  /** Runs before the server stops accepting: tell readiness, stop watchers. */
  readonly beforeClose?: () => void | Promise<void>;
  /** How long requests in flight may take to end; asked for when the signal comes. */
  readonly drainMs: number | (() => number);
  /** How long to go on accepting after `beforeClose`, so that balancers notice in time. */
  readonly unreadyMs?: number;
  /** How long a quiet connection is kept, for a request that may be on its way. */
  readonly quietMs?: number;
  /** Where signals come from: the process. */
  readonly signals?: Pick<EventEmitter, 'on' | 'off'>;
  readonly signalNames?: readonly NodeJS.Signals[];
  /** Called when a second signal cuts connections, before it does. */
  readonly onCut?: (cut: DrainReport) => void;
}

export interface DrainReport {
  readonly signal: string;
  /** Connections that had to be cut at the deadline. */
  readonly cutConnections: number;
}

/**
 * Runs a listening server until SIGTERM or SIGINT, then drains it: no new connections, every answer says
 * `Connection: close`, what is in flight ends, and at the deadline the rest is cut. A second signal cuts at once.
 * Call it before the first connection comes.
 */
export async function runUntilSignalled(server: Server, options: RunOptions): Promise<DrainReport> {
  const { beforeClose, unreadyMs = 0, quietMs = 500, signals = process } = options;
  const { signalNames = ['SIGTERM', 'SIGINT'] } = options;
  const sockets = trackSockets(server);
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const { promise: signalled, resolve: takeFirst } = Promise.withResolvers<string>();
  const impatience = new AbortController();
  let isSignalled = false;
  let secondSignal: string | undefined;
  const take = (name: string): void => {
    if (isSignalled) {
      secondSignal ??= name;
      impatience.abort();
    }
    isSignalled = true;
    takeFirst(name);
  };
  for (const name of signalNames) signals.on(name, take);
  try {
    const signal = await signalled;
    const drainMs = typeof options.drainMs === 'number' ? options.drainMs : options.drainMs();
    await beforeClose?.();
    await pause(unreadyMs, impatience.signal);
    announceClose(server, sockets);
    // http.Server would cut idle connections at once, and with them a request that has just been sent.
    NetServer.prototype.close.call(server);
    void pause(Math.min(quietMs, drainMs), impatience.signal).then(() => server.closeIdleConnections());
    await Promise.race([closed, pause(drainMs, impatience.signal)]);
    const cutConnections = [...sockets].filter((socket) => !socket.destroyed).length;
    if (secondSignal !== undefined) options.onCut?.({ signal: secondSignal, cutConnections });
    server.closeAllConnections();
    // Those still shaking hands are no HTTP connections yet.
    for (const socket of sockets) socket.destroy();
    await closed;
    // By now only Node's own check of connections is left to stop.
    server.close();
    return { signal, cutConnections };
  } finally {
    impatience.abort();
    for (const name of signalNames) signals.off(name, take);
  }
}

/** Logs that a second signal has cut connections: otherwise their requests leave no line. */
export function logCut(log: { warn(facts: object, text: string): void }): NonNullable<RunOptions['onCut']> {
  return ({ signal, cutConnections }) =>
    log.warn({ signal, cut_connections: cutConnections }, 'second signal: requests in flight are cut');
}

/** Every connection once: of one with TLS the socket that speaks HTTP, as soon as there is one. */
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

/** Answers in flight, and those to come, tell the caller not to use the connection again. */
function announceClose(server: Server, sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) {
    // Node keeps the answer in flight on its socket and offers no other way to it.
    const res = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
    if (!res) continue;
    if (!res.headersSent) res.shouldKeepAlive = false;
    // Too late for the header: the connection ends after the answer, as if it had been said.
    else res.once('finish', () => socket.end());
  }
  server.prependListener('request', (_req, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return ms <= 0 ? Promise.resolve() : wait(ms, undefined, { signal }).catch(() => undefined);
}
