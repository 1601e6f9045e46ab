import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  type AnyHandler,
  createRouter,
  createServer,
  type OpenApiDocument,
  type RouterOptions,
  type ServerOptions,
} from '../src/contract/index.ts';
import type { Problem } from '../src/problem/index.ts';

export interface StartedEdge {
  readonly server: Server;
  readonly port: number;
  /** Status and problem code of each request, in the order of their ends. */
  readonly observed: readonly (readonly [status: number, code: string | undefined])[];
}

/** Starts a server on a free port with these handlers for `GET /a`, `POST /a` and `GET /b`. Stops with the test. */
export async function startEdge(
  handlers: Partial<Record<'getA' | 'postA' | 'getB', (...args: never[]) => unknown>>,
  options: Omit<ServerOptions, 'router'> & { readonly router?: RouterOptions } = {},
): Promise<StartedEdge> {
  const observed: [number, string | undefined][] = [];
  const observe = (_context: unknown, status: number, _ms: number, problem?: Problem) =>
    void observed.push([status, problem?.code]);
  const nothing = () => ({ status: 200, body: {} });
  const router = createRouter(
    { document, handlers: { getA: nothing, postA: nothing, getB: nothing, ...handlers } as Record<string, AnyHandler> },
    { observe, ...options.router },
  );
  const server = createServer({ ...options, router: () => router }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  });
  return { server, port: (server.address() as AddressInfo).port, observed };
}

const problem = { default: { description: 'Problem' } };
const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: 'Edge', version: '1.0.0' },
  security: [],
  paths: {
    '/a': {
      get: { operationId: 'getA', responses: problem },
      post: {
        operationId: 'postA',
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: problem,
      },
    },
    '/b': { get: { operationId: 'getB', responses: problem } },
  },
};
