import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createExchange, type Exchange } from './exchange.ts';
import type { Fault } from './faults.ts';
import { readRequests, type SeenRequest } from './read-requests.ts';
import { createSoundResponse } from './sound-responses.ts';

/** A Staff Member API over raw sockets with configurable faults. */
export interface FaultUpstream {
  readonly url: string;
  /** All requests in order, except logins and health probes. */
  readonly requests: SeenRequest[];
  readonly logins: SeenRequest[];
  /** Sets the fault of all responses, or of one account by its e-mail; removes it without an argument. */
  use(fault?: Fault, email?: string): void;
  /** Invalidates all tokens. */
  forgetTokens(): void;
  openSockets(): number;
  /** The number of connections with unsent bytes. */
  writing(): number;
  /** Stops listening: connections are refused. */
  refuse(): Promise<void>;
  /** Connections are neither accepted nor refused. */
  freeze(): Promise<void>;
  /** Listens again, at the same address. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultUpstream(): Promise<FaultUpstream> {
  const requests: SeenRequest[] = [];
  const logins: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  /** The e-mail of each token. */
  const tokens = new Map<string, string>();
  const faultOf = new Map<string, Fault>();
  let fault: Fault = {};
  let server: Server | undefined;
  let frozen: Frozen | undefined;
  let port = 0;
  let tokensGiven = 0;

  function serveOne(exchange: Exchange): void {
    const { request } = exchange;
    if (request.path === '/health/live') {
      exchange.respond('{"status":"alive"}');
      return;
    }
    if (request.path === '/v2/login') {
      logins.push(request);
      const email = new URLSearchParams(request.body).get('email') ?? '';
      const { login } = faultOf.get(email) ?? fault;
      if (login === undefined) logIn(email, exchange);
      else login(exchange, () => logIn(email, exchange));
      return;
    }
    requests.push(request);
    const email = tokens.get(/^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
    const { respond } = faultOf.get(email ?? '') ?? fault;
    if (email === undefined) exchange.respond('{"code":"token_expired"}', { status: 401 });
    else if (respond === undefined) respondSoundly(exchange);
    else respond(exchange, () => respondSoundly(exchange));
  }

  function logIn(email: string, exchange: Exchange): void {
    const token = `token-${++tokensGiven}`;
    tokens.set(token, email);
    exchange.respond(JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: '3600' }));
  }

  async function listen(): Promise<void> {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
      if (fault.connect?.(socket) === 'done') return;
      readRequests(socket, (request) => serveOne(createExchange(request, socket)));
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    if (server !== undefined) await once(server.close(), 'close');
    server = undefined;
    await frozen?.thaw();
    frozen = undefined;
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    logins,
    use(next = {}, email) {
      if (email === undefined) {
        fault = next;
        faultOf.clear();
      } else {
        faultOf.set(email, next);
      }
      // Clients with a connection would not notice refused connections.
      if (next.connect !== undefined) for (const socket of sockets) socket.destroy();
    },
    forgetTokens: () => tokens.clear(),
    openSockets: () => sockets.size,
    writing: () => [...sockets].filter(({ writableNeedDrain }) => writableNeedDrain).length,
    refuse: close,
    async freeze() {
      await close();
      frozen = await freezePort(port);
    },
    async recover() {
      await close();
      await listen();
    },
    stop: close,
  };
}

function respondSoundly(exchange: Exchange): void {
  const { status, body } = createSoundResponse(exchange.request);
  exchange.respond(body, { status });
}

interface Frozen {
  thaw(): Promise<void>;
}

/** A thread that listens and then sleeps with a full backlog: new connections get no response. */
async function freezePort(port: number): Promise<Frozen> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage('listening');
       setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
     });`,
    { eval: true },
  );
  await once(worker, 'message');
  const { connect } = await import('node:net');
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await once(fillers[0] as Socket, 'connect');
  return {
    async thaw() {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}
