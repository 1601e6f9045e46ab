import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type.
  readonly data: any;
}

/** Responds to a message; by default with 204. A function that does not respond lets the sender wait. */
export type Respond = (message: ReceivedMessage, response: ServerResponse) => void;

export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver of webhooks on a loopback address. It stores every request. */
export async function startReceiver(host = '127.0.0.1') {
  const messages: ReceivedMessage[] = [];
  const state: { respond: Respond; connections: number } = {
    respond: (_, response) => response.writeHead(204).end(),
    connections: 0,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const message = { id: String(request.headers['webhook-id']), headers: request.headers, text, ...JSON.parse(text) };
    messages.push(message);
    state.respond(message, response);
  });
  server.on('connection', () => state.connections++);
  server.listen(0, host);
  await once(server, 'listening');
  return {
    messages,
    state,
    url: `http://${host}:${(server.address() as AddressInfo).port}/hooks`,
    respondWith(...statuses: readonly number[]) {
      const left = [...statuses];
      state.respond = (_, response) => response.writeHead(left.shift() ?? 204).end();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns whether a signature of a message is one of the secret, as the how-to page shows it. */
export function isSignedWith(secret: string, { id, headers, text }: ReceivedMessage): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${text}`).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const given = Buffer.from(signature.replace('v1,', ''), 'base64');
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
}
