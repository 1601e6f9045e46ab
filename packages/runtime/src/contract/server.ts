import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import express, { type Express, type Request, type Response } from 'express';
import { applyTimeouts, defaultTimeouts, lateCheckMs, type Timeouts } from '../edge/timeouts.ts';
import { secureContextOptions, type TlsPair } from '../edge/tls-pair.ts';
import { Problem } from '../problem/index.ts';
import { answerClientError, answerConnection } from './client-error.ts';
import { boundRestOfBody, hasBody } from './early-response.ts';
import { endStalled } from './end-stalled.ts';
import { serveHalfClosed } from './connections.ts';
import { loadValidatorSoon } from './openapi-validator.ts';
import { findHeadProblem, headBytesMax, toOriginForm } from './request-head.ts';
import { createRequestIds } from './request-id.ts';
import type { ContractRouter } from './router.ts';

// An import of node:http would load all that it can give, a WebSocket client and HTTP/2 among it.
const http = process.getBuiltinModule('node:http');

export interface ServerOptions {
  /** The current generation: read once for each request, so that a swap never mixes two. */
  readonly router: () => ContractRouter;
  /** Takes whatever the contract does not hold. */
  readonly app?: Express | undefined;
  /** How long callers are waited for; `applyTimeouts` changes it later. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** How long a caller may read nothing of its answer before its connection is ended. */
  readonly stalledMs?: number | undefined;
  /** Told of what is answered outside of any request, which no router observes. */
  readonly onRefusal?: ((problem: Problem) => void) | undefined;
  /** Serves TLS, and nothing else, with this; `renewTls` changes it later. */
  readonly tls?: TlsPair | undefined;
}

/**
 * An HTTP server with the route table in front of Express. Requests and responses are made of classes that already
 * carry Express's methods, so handlers and middleware see Express at no cost for a request. Never listens.
 */
export function createServer({
  router,
  app = express(),
  timeouts = {},
  stalledMs = 60_000,
  onRefusal,
  tls,
}: ServerOptions): Server {
  app.disable('x-powered-by');

  class FrontRequest extends http.IncomingMessage {
    // Whoever begins to read the body wants it sent.
    override _read(size: number): void {
      awaited.get(this)?.();
      super._read(size);
    }
  }
  class FrontResponse extends http.ServerResponse<FrontRequest> {}
  Object.setPrototypeOf(FrontRequest.prototype, app.request);
  Object.setPrototypeOf(FrontResponse.prototype, app.response);

  const options = {
    IncomingMessage: FrontRequest,
    ServerResponse: FrontResponse,
    // Twice of what is taken: so far Node reads on, and a long address can be told from long headers.
    maxHeaderSize: 2 * headBytesMax,
    requireHostHeader: false,
    // Whoever reads a body asks the headers first whether there is one: the others need no stream that ends.
    optimizeEmptyRequests: true,
    connectionsCheckingInterval: lateCheckMs,
    // Finds out that a caller has vanished without a word.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  // Express's own last handler would wait for the end of a request that has no body, which never comes.
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
    const problem = findHeadProblem(req);
    // What is well-formed costs quota like any request; what is not has nothing in it that could be trusted.
    if (problem?.code === 'not_implemented') router().refuse(problem, req, res);
    else if (problem !== undefined) router().fail(problem, req, res);
    else router()(req, res, () => app(req, res, afterApp(req, res)));
  };
  const server =
    tls === undefined
      ? http.createServer(options, serve)
      : https.createServer({ ...options, ...secureContextOptions(tls), ...tlsOptions(timeouts) }, serve);
  applyTimeouts(server, timeouts);
  // Node would pass over the fields beyond the first 2,000; the length of the head bounds them as well.
  server.maxHeadersCount = 0;

  const nextId = createRequestIds();
  const refuse = (socket: Duplex, problem: Problem) => {
    onRefusal?.(problem);
    answerConnection(socket, problem, nextId({ headers: {} }));
  };
  // A caller that asks before it sends its body hears first whether the head alone is refused (RFC 9110 §10.1.1).
  const awaited = new WeakMap<IncomingMessage, () => void>();
  server.on('checkContinue', (req, res) => {
    // Without a 100 nobody knows whether the body still comes: no request can follow it.
    res.setHeader('Connection', 'close');
    awaited.set(req, () => {
      awaited.delete(req);
      if (res.headersSent) return;
      res.removeHeader('Connection');
      res.writeContinue();
    });
    server.emit('request', req, res);
  });
  // An expectation nobody knows may be passed over (RFC 9110 §10.1.1); Node would answer it without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error, socket) => answerClientError(error, socket, refuse));
  server.on('connect', ({ url = '' }, socket) => {
    const isTunnel = /^[^/?#]+:\d+$/.test(url);
    refuse(
      socket,
      isTunnel
        ? new Problem('not_implemented', 'No tunnel is opened here.')
        : new Problem('malformed_request', 'CONNECT is followed by a host and a port (RFC 9110 §9.3.6).'),
    );
  });
  endStalled(server, stalledMs);
  serveHalfClosed(server);
  loadValidatorSoon(server);
  return server;
}

/** Serves new connections of a TLS server with another pair; those that stand keep theirs. */
export function renewTls(server: Server, pair: TlsPair): void {
  if (!(server instanceof https.Server)) throw new TypeError('This server does not speak TLS.');
  server.setSecureContext(secureContextOptions(pair));
}

function tlsOptions({ headersMs = defaultTimeouts.headersMs }: Partial<Timeouts>) {
  return { ALPNProtocols: ['http/1.1'], handshakeTimeout: headersMs };
}
