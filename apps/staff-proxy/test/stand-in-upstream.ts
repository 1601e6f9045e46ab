import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (res: ServerResponse, seen: SeenRequest, req: IncomingMessage) => void;

/** A stand-in for a Staff Member API: logs accounts in and sends the responses that a test scripts. */
export interface StandIn {
  readonly url: string;
  /** All requests except logins and health, in order. */
  readonly seen: SeenRequest[];
  readonly logins: SeenRequest[];
  /** Responses to the next requests, in order; later requests get `otherwise`. */
  readonly answers: Answer[];
  /** Response once `answers` is empty; an empty array by default. */
  otherwise: Answer;
  /** Response to logins instead of a token. */
  onLogin: Answer | undefined;
  /** Requests in flight. */
  readonly pending: number;
  /** Open connections. */
  connections(): Promise<number>;
  /** Invalidates all tokens. */
  forgetTokens(): void;
  stop(): Promise<void>;
}

export function json(status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): Answer {
  return (res) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    res.end(JSON.stringify(body));
  };
}

export async function startStandIn(accounts: Readonly<Record<string, string>>): Promise<StandIn> {
  const seen: SeenRequest[] = [];
  const logins: SeenRequest[] = [];
  const answers: Answer[] = [];
  const tokens = new Set<string>();
  let pending = 0;

  function logIn(res: ServerResponse, request: SeenRequest): void {
    logins.push(request);
    if (standIn.onLogin !== undefined) {
      standIn.onLogin(res, request, res.req);
      return;
    }
    const form = new URLSearchParams(request.body);
    if (accounts[form.get('email') ?? ''] !== form.get('password')) {
      json(401, { error: 'access_denied', error_description: 'Invalid email or password' })(res, request, res.req);
      return;
    }
    const token = `upstream-token-${logins.length}`;
    tokens.add(token);
    json(200, { access_token: token, token_type: 'bearer', expires_in: '3600' })(res, request, res.req);
  }

  const server = http.createServer(async (req, res) => {
    pending++;
    res.once('close', () => pending--);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      // The proxy has given the request up.
      return;
    }
    const { method = '', url = '', headers } = req;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    if (url === '/health/live') return json(200, { status: 'alive' })(res, request, req);
    if (url === '/v2/login') return logIn(res, request);
    seen.push(request);
    const token = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const answer = tokens.has(token) ? (answers.shift() ?? standIn.otherwise) : json(401, { code: 'token_expired' });
    answer(res, request, req);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    logins,
    answers,
    otherwise: json(200, []),
    onLogin: undefined,
    get pending() {
      return pending;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    forgetTokens: () => tokens.clear(),
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return standIn;
}
