import http, { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { Problem } from '../problem/index.ts';
import { answerClientError } from './client-error.ts';
import { createRequestIds } from './request-id.ts';
import type { ContractRouter } from './router.ts';

export interface ServerOptions {
  /** The current generation: read once for each request, so that a swap never mixes two. */
  readonly router: () => ContractRouter;
  /** Takes whatever the contract does not hold. */
  readonly app?: Express | undefined;
}

/**
 * An HTTP server with the route table in front of Express. Requests and responses are made of classes that already
 * carry Express's methods, so handlers and middleware see Express at no cost for a request. Never listens.
 */
export function createServer({ router, app = express() }: ServerOptions): http.Server {
  app.disable('x-powered-by');
  app.use((req, res) => router().notFound(req, res));
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => router().fail(error, req, res));

  class FrontRequest extends IncomingMessage {}
  class FrontResponse extends ServerResponse<FrontRequest> {}
  Object.setPrototypeOf(FrontRequest.prototype, app.request);
  Object.setPrototypeOf(FrontResponse.prototype, app.response);

  const nextId = createRequestIds();
  const server = http.createServer(
    {
      IncomingMessage: FrontRequest,
      ServerResponse: FrontResponse,
      maxHeaderSize: 32 * 1024,
      requireHostHeader: false,
      // Longer than the pools of callers keep a connection: else one is closed while a request is on its way.
      keepAliveTimeout: 65_000,
    },
    (incoming, outgoing) => {
      const req = incoming as unknown as Request;
      const res = outgoing as unknown as Response;
      req.res = res;
      req.originalUrl = req.url;
      if (!hasOneHost(req)) {
        router().fail(new Problem('malformed_request', 'Send exactly one Host header (RFC 9112 §3.2).'), req, res);
        return;
      }
      router()(req, res, () => app(req, res));
    },
  );
  // An expectation nobody knows may be passed over (RFC 9110 §10.1.1); Node would answer it without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error, socket) =>
    answerClientError(error, socket, nextId(new IncomingMessage(socket as never))),
  );
  return server;
}

/** Node keeps the first of several Host headers without a word, and would answer none of them without a body. */
function hasOneHost(req: Request): boolean {
  const { rawHeaders } = req;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1 || (count === 0 && req.httpVersion === '1.0');
}
