import type { Duplex } from 'node:stream';
import { Problem } from '../problem/index.ts';
import { createErrorAnswer } from './failure.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what Node's HTTP parser refuses, before any request exists, as problem+json like all else. */
export function answerClientError(error: ParserError, socket: Duplex, requestId: string): void {
  // The bytes that follow the answered ones fail again.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = createErrorAnswer(toParserProblem(error), requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Closing with bytes unread would reset the connection, and the answer might never be read (RFC 9112 §9.6).
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const lingerMs = 1_000;

const reasons: Readonly<Record<number, string>> = {
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function toParserProblem(error: ParserError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return error.rawPacket !== undefined && isLongRequestLine(error.rawPacket)
        ? new Problem('uri_too_long', 'Shorten the address; large input belongs into a body.')
        : new Problem('headers_too_large', 'Send fewer or shorter header fields.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('malformed_request', 'The request did not arrive whole in time.');
    default:
      return new Problem('malformed_request', 'The bytes sent are not an HTTP/1.1 request (RFC 9112).');
  }
}

/**
 * Node counts the request line among the headers. It was too long if the packet begins with it and its end is missing,
 * or late; a packet from the middle of a header section tells nothing.
 */
function isLongRequestLine(packet: Buffer): boolean {
  if (!/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return false;
  const end = packet.indexOf('\r\n');
  return end === -1 || end > 16 * 1024;
}
