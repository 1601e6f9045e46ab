import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * Makes connections on which undici reads every response that HTTP allows. By itself it fails a request whose response
 * begins with an unsolicited 100 Continue, and one whose upstream responds and closes while the body is still sent.
 */
export function createConnector(timeoutMs: number): buildConnector.connector {
  const { buildConnector } = require('undici') as typeof import('undici');
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
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

/** Leaves out each 100 Continue before a response (RFC 9110 §15.2): no request sent here expects one. */
function skipContinue(socket: Socket): void {
  const { read, write } = socket;
  /** From the head of a request until the first byte of the head of its final response. */
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

  /** What goes on of bytes that begin with a head; undefined while that is not known. */
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

/** undici writes the head as text that begins with the method; of a body only lengths, after a line break. */
function isRequestHead(chunk: unknown): boolean {
  return typeof chunk === 'string' && chunk.charCodeAt(0) >= letterA;
}

/** Whether a status line begins here whose status is 1xx, as far as the bytes go. */
function isInterim(bytes: Buffer): boolean {
  if (bytes.length >= 12) return bytes[9] === one && bytes.toString('latin1', 0, 7) === 'HTTP/1.';
  return 'HTTP/1.1 1'.startsWith(bytes.toString('latin1', 0, 10));
}

const notInterim = -2;
const headBytesMax = 16 * 1024;
const letterA = 65;
const zero = 48;
const one = 49;

/** How streams write: a method that each implements. */
type WritingSocket = Socket & {
  _write(chunk: unknown, encoding: BufferEncoding, done: WriteDone): void;
  _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: WriteDone): void;
};
type WriteDone = (error?: Error | null) => void;

/**
 * Drops what cannot be written any more instead of ending the socket: the response may have arrived before the reset
 * (RFC 9112 §9.6). The reading side then ends with it, or with the reset.
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
