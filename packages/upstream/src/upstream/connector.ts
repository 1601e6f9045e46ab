import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** How connections to https addresses are secured. The certificate of the server is always verified. */
export interface ClientTls {
  /** The authorities to trust, in PEM; by default those of Node. */
  readonly ca?: string | undefined;
  /** The client certificate with its chain, and its key, in PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the certificate of the server must have; by default the host of the address. */
  readonly serverName?: string | undefined;
}

/**
 * Creates connections on which undici reads every response that HTTP allows. Without them, it fails a request whose response
 * begins with an unsolicited 100 Continue, and one whose upstream responds and closes while the body is sent.
 */
export function createConnector(timeoutMs: number, tls: ClientTls = {}): buildConnector.connector {
  const { buildConnector } = require('undici') as typeof import('undici');
  const { ca, certificate: cert, key, serverName: servername } = tls;
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    // Set, because Node would otherwise follow NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert, key }),
    ...(servername === undefined ? {} : { servername }),
  });
  return (options, done) => {
    connect(options, (error, socket) => {
      if (error !== null) {
        done(error, null);
        return;
      }
      skipContinue(socket);
      readAfterReset(socket as WritingSocket);
      done(null, socket);
    });
  };
}

/** Drops each 100 Continue before a response (RFC 9110 §15.2): no request expects one. */
function skipContinue(socket: Socket): void {
  const { read, write } = socket;
  /** Between the head of a request and the first byte of its final response. */
  let isHeadAwaited = false;
  let held: Buffer | undefined;

  socket.write = ((...args: Parameters<Socket['write']>) => {
    if (isRequestHead(args[0])) isHeadAwaited = true;
    return write.apply(socket, args);
  }) as Socket['write'];

  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const bytes = read.call(socket, size) as Buffer | null;
      if (!isHeadAwaited || bytes === null) return bytes;
      const passed = filter(held === undefined ? bytes : Buffer.concat([held, bytes]));
      if (passed !== undefined) return passed;
    }
  };

  /** Returns the bytes to pass of those that begin with a head; undefined while it is incomplete. */
  function filter(given: Buffer): Buffer | undefined {
    let bytes = given;
    held = undefined;
    const passed: Buffer[] = [];
    while (bytes.length > 0) {
      const end = isInterim(bytes) ? bytes.indexOf('\r\n\r\n') : notInterim;
      if (end === notInterim || (end < 0 && bytes.length > headBytesMax)) {
        isHeadAwaited = false;
        passed.push(bytes);
        break;
      }
      if (end < 0) {
        held = bytes;
        break;
      }
      const length = end + 4;
      if (bytes[10] !== zero || bytes[11] !== zero) passed.push(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
    if (passed.length <= 1) return passed[0];
    return Buffer.concat(passed);
  }
}

/** undici writes the head as a string that begins with the method; of a body it writes only lengths as strings. */
function isRequestHead(chunk: unknown): boolean {
  return typeof chunk === 'string' && chunk.charCodeAt(0) >= letterA;
}

/** Whether the bytes begin a status line with a status of 1xx. */
function isInterim(bytes: Buffer): boolean {
  if (bytes.length >= 12) return bytes[9] === one && bytes.toString('latin1', 0, 7) === 'HTTP/1.';
  return 'HTTP/1.1 1'.startsWith(bytes.toString('latin1', 0, 10));
}

const notInterim = -2;
const headBytesMax = 16 * 1024;
const letterA = 65;
const zero = 48;
const one = 49;

/** The methods by which streams write. */
type WritingSocket = Socket & {
  _write(chunk: unknown, encoding: BufferEncoding, done: WriteDone): void;
  _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: WriteDone): void;
};
type WriteDone = (error?: Error | null) => void;

/**
 * Drops writes after a reset instead of ending the socket: the response may have arrived before (RFC 9112 §9.6). The
 * reading side then ends with the response, or with the reset.
 */
function readAfterReset(socket: WritingSocket): void {
  const { _write, _writev } = socket;
  let isReset = false;
  const tolerate =
    (done: WriteDone): WriteDone =>
    (error) => {
      if (error == null || !resets.has((error as NodeJS.ErrnoException).code)) done(error);
      else {
        isReset = true;
        done();
      }
    };
  socket._write = (chunk, encoding, done) => {
    if (isReset) done();
    else _write.call(socket, chunk, encoding, tolerate(done));
  };
  socket._writev = (chunks, done) => {
    if (isReset) done();
    else _writev.call(socket, chunks, tolerate(done));
  };
}

const resets: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);

const require = createRequire(import.meta.url);
