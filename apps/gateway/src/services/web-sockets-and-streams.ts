import type { Endpoint, RawHandler, UpstreamSettings, WebSocketSettings } from '@rostergate/endpoints';
import { admitHandshake, findHandshakeFault, type RawReply } from '@rostergate/server';
import { badHandshake, type SendOnce } from '@rostergate/upstream';

type Handle = RawHandler['handle'];

/** Returns the handler of an endpoint that takes WebSockets only. `forward` sends a handshake with the given function. */
export function handleWebSockets(
  { operationId }: Endpoint,
  { origins, connectionsMax, idleMs }: WebSocketSettings,
  send: SendOnce,
  forward: (send: SendOnce, ...args: Parameters<Handle>) => Promise<RawReply>,
): Handle {
  const policy = { operationId, origins: new Set(origins), connectionsMax };
  const sendHandshake: SendOnce = (request) => send({ ...request, upgrade: 'websocket' });
  return async (request, context) => {
    const { req } = context;
    admitHandshake(req, policy);
    const reply = await forward(sendHandshake, request, context);
    // An upstream that rejects the handshake sends an ordinary response.
    if (reply.status !== 101) return reply;
    const fault = findHandshakeFault(req, reply.headers ?? {});
    if (fault === undefined) return { ...reply, live: { idleMs } };
    (reply.raw as { destroy(): void }).destroy();
    throw badHandshake(fault);
  };
}

/** Returns a handler whose streams stay open across configurations. */
export function handleStreams(handle: Handle): Handle {
  return async (request, context) => {
    const reply = await handle(request, context);
    const isStream =
      typeof reply.raw === 'object' && 'pipe' in reply.raw && reply.headers?.['Content-Length'] === undefined;
    return isStream ? { ...reply, live: { idleMs: 0 } } : reply;
  };
}

/** A stream lives longer than a request: the pool of an endpoint with streams is its own, and larger. */
const streamsMax = 10_000;

/** Returns the options of the connections of an endpoint; undefined for those that all endpoints share. */
export function connectionsOf({ streamIdleMs }: UpstreamSettings) {
  return streamIdleMs === undefined ? undefined : { bodyTimeoutMs: streamIdleMs, connectionsMax: streamsMax };
}
