import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CallSignal } from './context.ts';
import { type LocalClient, type LocalResponse, LocalSocket } from './local-socket.ts';
import type { Headers } from './reply-headers.ts';

/** A request of this process to its own server. */
export interface LocalRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Several values of a field are joined. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | undefined;
  /** The connection to this server of the client that causes the request: its address counts, and whether it uses TLS. */
  readonly client: LocalClient;
  readonly signal: CallSignal;
  /** The rest of a longer response is not read. */
  readonly bytesMax: number;
}

export type SendLocally = (request: LocalRequest) => Promise<LocalResponse>;

/** The classes of the requests and responses of a server. */
interface Messages {
  readonly Request: new (socket: Socket) => IncomingMessage;
  readonly Response: new (req: IncomingMessage) => ServerResponse;
}

/** Set where the sender has the response without its form as text. */
interface Delivered {
  isDelivered: boolean;
}

const messagesOf = new WeakMap<Server, Messages>();

/** Lets a server receive local requests, as messages of the given classes. */
export function acceptLocalRequests(server: Server, { Request, Response }: Messages): void {
  class LocalServerResponse extends Response implements Delivered {
    isDelivered = false;
  }
  const orDelivered = (name: 'headersSent' | 'writableFinished') => ({
    get(this: LocalServerResponse): unknown {
      return this.isDelivered || Reflect.get(Response.prototype, name, this);
    },
  });
  Object.defineProperties(LocalServerResponse.prototype, {
    // The body has no frames, since nothing parses it.
    chunkedEncoding: { get: () => false, set() {} },
    headersSent: orDelivered('headersSent'),
    writableFinished: orDelivered('writableFinished'),
  });
  messagesOf.set(server, { Request, Response: LocalServerResponse });
}

/**
 * Returns a function that sends requests to a server of this process: they are authenticated, limited, validated, logged
 * and answered like those from the network, but need no connection and no parser. Rejects when the signal aborts or the
 * server breaks off.
 */
export function createLocalSender(server: () => Server): SendLocally {
  return (request) =>
    new Promise((resolve, reject) => {
      const { signal, client, bytesMax, method } = request;
      const receiver = server();
      const messages = messagesOf.get(receiver);
      if (messages === undefined) throw new TypeError('This server takes no local requests.');
      if (signal.aborted) throw new Error('The request was cancelled.');
      const socket = new LocalSocket(client, bytesMax, resolve);
      const req = new messages.Request(socket as unknown as Socket);
      setRequest(req, request);
      const res = new messages.Response(req);
      const abort = () => {
        socket.destroy();
        req.destroy();
      };
      signal.addEventListener('abort', abort, { once: true });
      res.once('finish', () => {
        socket.finish(method === 'HEAD');
        if (!req.readableEnded) req.resume();
      });
      socket.once('close', () => {
        signal.removeEventListener('abort', abort);
        if (!socket.hasResponded)
          reject(new Error(signal.aborted ? 'The request was cancelled.' : 'The server broke off the response.'));
      });
      res.assignSocket(socket as unknown as Socket);
      receiver.emit('request', req, res);
    });
}

/** The fields that identify the caller to this server, and the address that the caller used. */
const callerFields = ['host', 'x-api-key', 'authorization', 'x-forwarded-for', 'forwarded', 'x-forwarded-proto'];

/** Returns the fields of a request that a local request needs to be one of the same caller. */
export function callerHeadersOf({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of callerFields) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

/**
 * Gives a whole response to the sender of a local request, without writing and parsing its head. Returns false for a
 * request from the network.
 */
export function respondLocally(
  res: ServerResponse,
  status: number,
  headers: Headers,
  body?: string | Uint8Array,
): boolean {
  const { socket } = res;
  if (!(socket instanceof LocalSocket) || res.headersSent) return false;
  socket.take(status, headers, res.req.method === 'HEAD' ? undefined : body);
  (res as ServerResponse & Delivered).isDelivered = true;
  res.finished = true;
  res.emit('finish');
  return true;
}

/** Methods with which Node's server prepares a message, without public types. Older versions lack the second one. */
type ParsedMessage = IncomingMessage & {
  _addHeaderLines(rawHeaders: string[], length: number): void;
  _dumpAndCloseReadable?(): void;
};

/** Gives a message the parts that a parser would. */
function setRequest(req: IncomingMessage, { method, url, headers, body }: LocalRequest): void {
  req.method = method;
  req.url = url;
  req.httpVersion = '1.1';
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  const rawHeaders = rawHeadersOf(headers, body);
  const message = req as ParsedMessage;
  message._addHeaderLines(rawHeaders, rawHeaders.length);
  req.complete = true;
  // As `optimizeEmptyRequests` does: a request without a body needs no stream.
  if (body === undefined && message._dumpAndCloseReadable !== undefined) message._dumpAndCloseReadable();
  else {
    if (body !== undefined) req.push(body);
    req.push(null);
  }
}

/** Returns names and values in turn; the last of several fields of the same name counts. */
function rawHeadersOf(headers: LocalRequest['headers'], body: string | undefined): string[] {
  const raw = ['Host', 'localhost'];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) setField(raw, name, typeof value === 'string' ? value : value.join(', '));
  }
  if (body !== undefined) setField(raw, 'Content-Length', String(Buffer.byteLength(body)));
  return raw;
}

function setField(raw: string[], name: string, value: string): void {
  let at = 0;
  while (at < raw.length && !isSameName(raw[at] as string, name)) at += 2;
  raw[at] = name;
  raw[at + 1] = value;
}

function isSameName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}
