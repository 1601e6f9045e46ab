import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import express, { type Express, type Request, type Response } from 'express';
import { applyTimeouts, defaultTimeouts, lateCheckMs, type Timeouts } from '../edge/timeouts.ts';
import { secureContextOptions, type TlsPair } from '../edge/tls-pair.ts';
import type { LiveConnections } from '../live/live-connections.ts';
import { isHandshake, PendingUpgrade } from '../live/pending-upgrade.ts';
import { Problem } from '../problem/index.ts';
import { handleClientError, rejectConnection } from './client-error.ts';
import { boundRestOfBody, endStalled, serveHalfClosed } from './connections.ts';
import { acceptLocalRequests } from './local-sender.ts';
import { loadValidatorSoon } from './openapi-validator.ts';
import { createRequestIds, findHeadProblem, hasBody, headBytesMax, toOriginForm } from './request-head.ts';
import type { ContractRouter } from './router.ts';

// An import of node:http would load all of its exports, among them a WebSocket client.
const http = process.getBuiltinModule('node:http');

/** What a server needs of a router. */
export interface ServedRouter extends Pick<ContractRouter, 'takesWebSockets' | 'notFound' | 'reject' | 'fail'> {
  (req: Request, res: Response, next: (error?: unknown) => void): void;
}

export interface ServerOptions {
  /** Returns the router of the current generation; called once for each request. */
  readonly router: () => ServedRouter;
  /** Handles the paths that the contract does not declare. */
  readonly app?: Express | undefined;
  /** How long the server waits for clients; `applyTimeouts` changes it later. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** How long a client may read nothing of its response before the connection is destroyed. */
  readonly stalledMs?: number | undefined;
  /** Called for responses without a request, which no router observes. */
  readonly onRejection?: ((problem: Problem) => void) | undefined;
  /** Holds the open WebSockets; without it, every handshake is rejected. */
  readonly live?: LiveConnections | undefined;
  /** Serves only TLS, with this certificate; `renewTls` changes it later. */
  readonly tls?: TlsPair | undefined;
}

/**
 * Returns an HTTP server, not yet listening, with the contract's router in front of Express. The classes of requests and
 * responses have Express's methods, so that adding them costs nothing per request.
 */
export function createServer({
  router,
  app = express(),
  timeouts = {},
  stalledMs = 60_000,
  onRejection,
  live,
  tls,
}: ServerOptions): Server {
  app.disable('x-powered-by');

  class FrontRequest extends http.IncomingMessage {
    // Reading the body sends a pending 100 Continue.
    override _read(size: number): void {
      continuations.get(this)?.();
      super._read(size);
    }
  }
  class FrontResponse extends http.ServerResponse<FrontRequest> {}
  Object.setPrototypeOf(FrontRequest.prototype, app.request);
  Object.setPrototypeOf(FrontResponse.prototype, app.response);

  const options = {
    IncomingMessage: FrontRequest,
    ServerResponse: FrontResponse,
    // Twice the limit, so that a long URL can be distinguished from long headers.
    maxHeaderSize: 2 * headBytesMax,
    requireHostHeader: false,
    // Readers of a body check the headers first, so that requests without one need no stream.
    optimizeEmptyRequests: true,
    connectionsCheckingInterval: lateCheckMs,
    // Detects clients that vanish without closing the connection.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Other offers are served as ordinary requests (RFC 9110 §7.8).
    shouldUpgradeCallback: (req: IncomingMessage) => isHandshake(req) && takesWebSockets(toOriginForm(req.url ?? '')),
  };
  let canUpgrade = false;
  const takesWebSockets = (url: string) => canUpgrade && router().takesWebSockets(url);
  // Express's default handler would wait for the end of a body, which a request without one never emits.
  const afterApp = (req: Request, res: Response) => (error?: unknown) => {
    if (error == null) router().notFound(req, res);
    else router().fail(error, req, res);
  };
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const req = incoming as unknown as Request;
    const res = outgoing as unknown as Response;
    req.res = res;
    req.url = toOriginForm(req.url);
    req.originalUrl = req.url;
    if (hasBody(req)) boundRestOfBody(req, res);
    const problem = findHeadProblem(req, takesWebSockets);
    // Only a well-formed head has a key that counts against a quota.
    if (problem?.code === 'not_implemented') router().reject(problem, req, res);
    else if (problem !== undefined) router().fail(problem, req, res);
    else router()(req, res, () => app(req, res, afterApp(req, res)));
  };
  const server =
    tls === undefined
      ? http.createServer(options, serve)
      : https.createServer({ ...options, ...secureContextOptions(tls), ...tlsOptions(timeouts) }, serve);
  acceptLocalRequests(server, { Request: FrontRequest, Response: FrontResponse });
  applyTimeouts(server, timeouts);
  // Node would ignore the fields after the first 2,000; the length of the head bounds their number.
  server.maxHeadersCount = 0;

  const nextId = createRequestIds();
  const reject = (socket: Duplex, problem: Problem) => {
    onRejection?.(problem);
    rejectConnection(socket, problem, nextId({ headers: {} }));
  };
  // With Expect: 100-continue a request can be rejected before its body is sent (RFC 9110 §10.1.1).
  const continuations = new WeakMap<IncomingMessage, () => void>();
  server.on('checkContinue', (req, res) => {
    // Without a 100 the client may or may not send the body, so no request can follow.
    res.setHeader('Connection', 'close');
    continuations.set(req, () => {
      continuations.delete(req);
      if (res.headersSent) return;
      res.removeHeader('Connection');
      res.writeContinue();
    });
    server.emit('request', req, res);
  });
  // An unknown expectation may be ignored (RFC 9110 §10.1.1); Node would respond without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Node before 22.21 and 24.9 does not ask which handshakes to accept.
  if (live !== undefined && 'shouldUpgradeCallback' in server) {
    canUpgrade = true;
    server.on('upgrade', (req: FrontRequest, socket, head) => {
      const res = new FrontResponse(req);
      new PendingUpgrade(live, req, res, socket as Socket, head);
      serve(req, res);
    });
  }
  server.on('clientError', (error, socket) => handleClientError(error, socket, reject));
  server.on('connect', ({ url = '' }, socket) => {
    const isTunnel = /^[^/?#]+:\d+$/.test(url);
    reject(
      socket,
      isTunnel
        ? new Problem('not_implemented', 'This server opens no tunnels.')
        : new Problem('malformed_request', 'Send a host and a port after CONNECT (RFC 9110 §9.3.6).'),
    );
  });
  endStalled(server, stalledMs);
  serveHalfClosed(server);
  loadValidatorSoon(server);
  return server;
}

/** Uses another certificate for new connections of a TLS server; open connections are unaffected. */
export function renewTls(server: Server, pair: TlsPair): void {
  if (!(server instanceof https.Server)) throw new TypeError('This server does not use TLS.');
  server.setSecureContext(secureContextOptions(pair));
}

function tlsOptions({ headersMs = defaultTimeouts.headersMs }: Partial<Timeouts>) {
  return { ALPNProtocols: ['http/1.1'], handshakeTimeout: headersMs };
}
