import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import type { TLSSocket } from 'node:tls';

const http = process.getBuiltinModule('node:http');

/** A request of this process to its own server. */
export interface LocalRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  /** The connection to this server of the client that causes the request: its address counts, and whether it uses TLS. */
  readonly client: Pick<Socket, 'remoteAddress'> & Partial<Pick<TLSSocket, 'encrypted'>>;
  readonly signal: AbortSignal;
  /** The rest of a longer response is not read. */
  readonly bytesMax: number;
}

export interface LocalResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the response ended within `bytesMax`. */
  readonly isWhole: boolean;
}

export type SendLocally = (request: LocalRequest) => Promise<LocalResponse>;

/**
 * Returns a function that sends requests to a server of this process through memory: they are parsed, authenticated,
 * limited, logged and answered like those from the network. Rejects when the signal aborts or the server breaks off.
 */
export function createLocalSender(server: () => Server): SendLocally {
  return async ({ method, url, headers, body, client, signal, bytesMax }) => {
    const [near, far] = duplexPair();
    const { remoteAddress, encrypted } = client;
    Object.assign(far, { remoteAddress, encrypted });
    server().emit(encrypted === true ? 'secureConnection' : 'connection', far);
    try {
      const request = http.request({
        ...{ method, path: url, signal },
        headers: {
          ...headers,
          Connection: 'close',
          ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        },
        createConnection: () => near as Duplex as Socket,
      });
      const response = await responseTo(request, body);
      return await readResponse(response, bytesMax);
    } finally {
      near.destroy();
      far.destroy();
    }
  };
}

function responseTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays for errors after the response, which reading it reports.
    request.on('error', reject).once('response', resolve);
    request.end(body);
  });
}

async function readResponse(response: IncomingMessage, bytesMax: number): Promise<LocalResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  const { statusCode: status = 500, headers } = response;
  return { status, headers, body: Buffer.concat(chunks).subarray(0, bytesMax), isWhole: bytes <= bytesMax };
}
