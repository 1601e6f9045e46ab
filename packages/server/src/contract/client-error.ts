import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { createProblemDocument, Problem, problemMediaType } from '../problem/index.ts';
import { reportRequestFault } from './body-bytes.ts';
import { isEncrypted, securityHeaders, securityHeadersOverTls } from './reply-headers.ts';
import { headBytesMax } from './request-head.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Fields of Node's sockets without public types: the response in flight, and the TCP socket of a TLS socket. */
type Connection = Socket & {
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null;
  readonly _parent?: Socket | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/** Responds on a connection without a request. */
export type Reject = (socket: Duplex, problem: Problem) => void;

/** Responds with problem+json to errors of Node's HTTP parser, before a request exists. */
export function handleClientError(error: ParserError, socket: Duplex, reject: Reject): void {
  const connection = socket as Connection;
  if (isHandshake(connection)) {
    rejectHandshake(error, connection, reject);
    return;
  }
  // The bytes after a reported fault cause more errors.
  if (socket.writableEnded || waiting.has(socket)) return;
  const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) {
    // Browsers open connections in advance and expect no response on them.
    socket.destroy();
    return;
  }
  const problem = toParserProblem(error);
  const res = connection._httpMessage;
  if (!res && connection.parser?.incoming?.complete === false) {
    // The response was sent before the end of the request; a second one would look like the next request's.
    socket.destroy();
  } else if (!res) {
    reject(connection, problem);
  } else if (res.req.complete) {
    // The fault is in a later pipelined request: the response in flight goes first.
    waiting.add(socket);
    res.once('close', () => {
      waiting.delete(socket);
      handleClientError(error, socket, reject);
    });
  } else if (res.headersSent) {
    socket.destroy();
  } else if (!reportRequestFault(res.req, problem)) {
    // Otherwise the reader of the body responds, with the request's id and a log entry.
    reject(connection, problem);
  }
}

/** Sockets whose fault is reported after the responses in flight. */
const waiting = new WeakSet<Duplex>();

/** Writes a problem on a connection without a request, and closes it. */
export function rejectConnection(socket: Duplex, problem: Problem, requestId: string): void {
  const { status } = problem;
  const body = JSON.stringify(createProblemDocument(problem, requestId));
  const headers = {
    ...problem.headers,
    Date: new Date().toUTCString(),
    'Content-Type': problemMediaType,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...(isEncrypted(socket as Connection) ? securityHeadersOverTls : securityHeaders),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // Closing with unread bytes resets the connection, and the client might never read the response (RFC 9112 §9.6).
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const lingerMs = 1_000;

const reasons: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
};

function isHandshake(socket: Connection): boolean {
  return (socket as Partial<TLSSocket> & { secureConnecting?: boolean }).secureConnecting === true;
}

/** Destroys the connection, after a response to clients that send plain HTTP by mistake. */
function rejectHandshake(error: ParserError, socket: Connection, reject: Reject): void {
  const plain = socket._parent;
  if (error.code !== 'ERR_SSL_HTTP_REQUEST' || !plain?.writable) {
    socket.destroy();
    return;
  }
  reject(plain, new Problem('malformed_request', 'This port requires TLS: send the request with https.'));
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function toParserProblem(error: ParserError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return error.rawPacket !== undefined && isLongRequestLine(error.rawPacket)
        ? new Problem('uri_too_long', 'Shorten the URL; send large input in a body.')
        : new Problem('headers_too_large', 'Send fewer or shorter header fields.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The whole request did not arrive in time. Send it again, faster.', close);
    default:
      return new Problem('malformed_request', 'The bytes sent are not an HTTP/1.1 request (RFC 9112).', close);
  }
}

const close = { headers: { Connection: 'close' } };

/**
 * Returns whether a header overflow is due to the request line, which Node counts among the headers: when the packet
 * begins with one whose end is missing or late, or begins with the end of one.
 */
function isLongRequestLine(packet: Buffer): boolean {
  const end = packet.indexOf('\r\n');
  if (/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return end === -1 || end > headBytesMax / 2;
  return end !== -1 && /^\S* HTTP\/1\.[01]$/.test(packet.toString('latin1', 0, end));
}
