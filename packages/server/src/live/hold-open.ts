import type { Socket } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import type { Context, Principal } from '../contract/context.ts';
import type { RawReply } from '../contract/handler.ts';
import type { CloseReason, LiveConnections, LiveRequest, Readmit } from './live-connections.ts';
import { ownProtocol, type PendingUpgrade, upgradeOf } from './pending-upgrade.ts';
import { WebSocketTunnel } from './web-socket-tunnel.ts';

/** The parts of a request that are needed to keep its connection open. */
export type HeldContext = Pick<Context<Principal>, 'req' | 'res' | 'route' | 'requestId' | 'principal'>;

/** Registers a connection that stays open; returns the function to call when it is closed. */
export type HoldOpen = (
  context: HeldContext,
  kind: LiveRequest['kind'],
  end: (reason: CloseReason) => void,
) => (reason: CloseReason, error?: unknown) => void;

/** Returns a function that registers connections which `readmit` and its configuration have admitted. */
export function createHoldOpen(live: LiveConnections, readmit: Readmit): HoldOpen {
  return (context, kind, end) => live.add(liveRequestOf(context, kind), context.req.socket, end, readmit);
}

function liveRequestOf({ req, route, requestId, principal }: HeldContext, kind: LiveRequest['kind']): LiveRequest {
  const rawHeaders: string[] = [];
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const headerName = req.rawHeaders[i] as string;
    if (storedHeaders.test(headerName)) rawHeaders.push(headerName, req.rawHeaders[i + 1] as string);
  }
  const { remoteAddress } = req.socket;
  const { operationId, path } = route;
  const { name: key, owner, endsAtMs } = principal ?? {};
  return { kind, operationId, path, requestId, key, owner, rawHeaders, remoteAddress, endsAtMs };
}

const storedHeaders = /^(?:x-api-key|authorization|x-forwarded-for|forwarded)$/i;

type ResponseHeaders = Record<string, string | number | readonly string[]>;

// The closures below are created outside of any configuration: an open connection must hold none of its parts.

/** Accepts a WebSocket handshake, and passes bytes between client and upstream from then on. */
export function openWebSocket(
  hold: HoldOpen,
  context: HeldContext,
  { raw, live }: RawReply,
  headers: ResponseHeaders,
): void {
  const upstream = raw as Socket;
  const upgrade = upgradeOf(context.req);
  if (upgrade === undefined || context.res.destroyed) {
    upstream.destroy();
    return;
  }
  const isSelected = Object.keys(headers).some((name) => name.toLowerCase() === 'sec-websocket-protocol');
  if (upgrade.offered.hasOwn && !isSelected) headers['Sec-WebSocket-Protocol'] = ownProtocol;
  const client = acceptOrDestroy(upgrade, headers, upstream);
  let onClosed: ReturnType<HoldOpen>;
  const tunnel = new WebSocketTunnel({
    client,
    upstream,
    idleMs: live?.idleMs ?? 0,
    onClosed: (reason) => onClosed(reason),
  });
  onClosed = hold(context, 'websocket', (reason) => tunnel.close(reason));
}

function acceptOrDestroy(...[upgrade, headers, upstream]: [PendingUpgrade, ResponseHeaders, Socket]): Socket {
  try {
    return upgrade.accept(headers);
  } catch (error) {
    upstream.destroy();
    throw error;
  }
}

/**
 * Registers a response whose stream is being sent, through `compressor` if there is one, and ends it when its credential
 * does. Returns a promise for its end, or undefined for a live stream, which no longer belongs to its request.
 */
export function holdStream(
  hold: HoldOpen,
  context: HeldContext,
  { raw, live }: RawReply,
  sent: Promise<void>,
  compressor: Transform | undefined,
): Promise<void> | undefined {
  const { res } = context;
  const stream = raw as Readable;
  const isLive = live !== undefined;
  let ended: CloseReason | undefined;
  const onClosed = hold(context, 'stream', (reason) => {
    // A request in flight has the time of the drain.
    if (reason === 'shutdown' && !isLive) return;
    ended ??= reason;
    if (reason !== 'shutdown') res.destroy();
    else if (compressor === undefined) stream.destroy();
    else {
      // A compressed body is complete only with its last block. The pipeline then destroys the stream.
      stream.unpipe(compressor);
      compressor.end();
    }
  });
  sent.then(
    () => onClosed(ended ?? 'upstream'),
    (error: NodeJS.ErrnoException) => {
      const isClient = error.code === 'ERR_STREAM_PREMATURE_CLOSE';
      onClosed(ended ?? (isClient ? 'client' : 'upstream'), ended === undefined && !isClient ? error : undefined);
      if (!isLive) return;
      if (ended === 'shutdown' && compressor === undefined) res.end();
      // A truncated response must not look complete.
      else res.destroy();
    },
  );
  return isLive ? undefined : sent;
}
