import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { isEncrypted } from '../edge/security-headers.ts';
import { Problem } from '../problem/index.ts';
import { createErrorAnswer } from './failure.ts';
import { reportRequestFault } from './request-fault.ts';
import { headBytesMax } from './request-head.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Node keeps the answer in flight on its socket, and what a TLS socket is made of; it offers no other way to them. */
type Connection = Socket & {
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null;
  readonly _parent?: Socket | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/** Answers a connection on which there is no request to be answered. */
export type Refuse = (socket: Duplex, problem: Problem) => void;

/** Answers what Node's HTTP parser refuses, before any request exists, as problem+json like all else. */
export function answerClientError(error: ParserError, socket: Duplex, refuse: Refuse): void {
  const connection = socket as Connection;
  if (isHandshake(connection)) {
    refuseHandshake(error, connection, refuse);
    return;
  }
  // The bytes that follow the answered ones fail again.
  if (socket.writableEnded || waiting.has(socket)) return;
  const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) {
    // Whoever has asked nothing expects no answer: browsers open connections in advance.
    socket.destroy();
    return;
  }
  const problem = toParserProblem(error);
  const res = connection._httpMessage;
  if (!res && connection.parser?.incoming?.complete === false) {
    // The request was answered before its end came; whoever hears a second answer takes it for the next one's.
    socket.destroy();
  } else if (!res) {
    refuse(connection, problem);
  } else if (res.req.complete) {
    // The fault is in a request behind the one that is being answered: its answer goes first.
    waiting.add(socket);
    res.once('close', () => {
      waiting.delete(socket);
      answerClientError(error, socket, refuse);
    });
  } else if (res.headersSent) {
    socket.destroy();
  } else if (!reportRequestFault(res.req, problem)) {
    // Otherwise whoever reads the body answers, with the request's own id, and is logged.
    refuse(connection, problem);
  }
}

/** Sockets whose fault is answered as soon as the answers before it are out. */
const waiting = new WeakSet<Duplex>();

/** Writes a problem where there is no request to be answered, and closes. */
export function answerConnection(socket: Duplex, problem: Problem, requestId: string): void {
  const { status, headers, body } = createErrorAnswer(problem, requestId, isEncrypted(socket as Connection));
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // Closing with bytes unread would reset the connection, and the answer might never be read (RFC 9112 §9.6).
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

/** Speaks to no stranger, but tells who asks in plain HTTP what to do: that is somebody's mistake in an address. */
function refuseHandshake(error: ParserError, socket: Connection, refuse: Refuse): void {
  const plain = socket._parent;
  if (error.code !== 'ERR_SSL_HTTP_REQUEST' || !plain?.writable) {
    socket.destroy();
    return;
  }
  refuse(plain, new Problem('malformed_request', 'This port speaks TLS: ask with https.'));
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function toParserProblem(error: ParserError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return error.rawPacket !== undefined && isLongRequestLine(error.rawPacket)
        ? new Problem('uri_too_long', 'Shorten the address; large input belongs into a body.')
        : new Problem('headers_too_large', 'Send fewer or shorter header fields.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive whole in time. Send it again, faster.', close);
    default:
      return new Problem('malformed_request', 'The bytes sent are not an HTTP/1.1 request (RFC 9112).', close);
  }
}

const close = { headers: { Connection: 'close' } };

/**
 * Node counts the request line among the headers. It was too long if the packet begins with it and its end is missing,
 * or late, or if the packet begins with the end of one; any other from the middle of a head tells nothing.
 */
function isLongRequestLine(packet: Buffer): boolean {
  const end = packet.indexOf('\r\n');
  if (/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return end === -1 || end > headBytesMax / 2;
  return end !== -1 && /^\S* HTTP\/1\.[01]$/.test(packet.toString('latin1', 0, end));
}
