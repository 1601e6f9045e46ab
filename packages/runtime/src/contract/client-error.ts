import type { Duplex } from 'node:stream';
import { Problem } from '../problem/index.ts';
import { createErrorAnswer } from './failure.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what Node's HTTP parser refuses, before any request exists, as problem+json like all else. */
export function answerClientError(error: ParserError, socket: Duplex, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = createErrorAnswer(toParserProblem(error), requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`,
  );
}

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

/** Node counts the request line among the headers. It was too long if its end never came, or came late. */
function isLongRequestLine(packet: Buffer): boolean {
  const end = packet.indexOf('\r\n');
  return end === -1 || (end > 16 * 1024 && /^[A-Z]+ /.test(packet.toString('latin1', 0, 16)));
}
