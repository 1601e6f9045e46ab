import type { Socket } from 'node:net';
import type { SeenRequest } from './read-requests.ts';

/** A request and its socket, with the actions of a fault. */
export interface Exchange {
  readonly request: SeenRequest;
  readonly socket: Socket;
  /** Writes a complete response, JSON with 200 by default. A header replaces the default one, `null` removes it. */
  respond(body: string, more?: ResponseOptions): void;
  write(bytes: string | Uint8Array): void;
  /** Closes the connection with FIN. */
  end(): void;
  /** Closes the connection with RST. */
  reset(): void;
  /** Calls `act` after a delay, unless the connection has closed. */
  later(ms: number, act: () => void): void;
  /** Calls `act` repeatedly until the connection closes. */
  every(ms: number, act: () => void): void;
}

export interface ResponseOptions {
  readonly status?: number | string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

export function createExchange(request: SeenRequest, socket: Socket): Exchange {
  const write = (bytes: string | Uint8Array) => {
    if (socket.writable) socket.write(bytes);
  };
  return {
    request,
    socket,
    write,
    respond: (body, more) => write(headOf(more, Buffer.byteLength(body)) + body),
    end: () => socket.end(),
    reset: () => void socket.resetAndDestroy(),
    later(ms, act) {
      const timer = setTimeout(act, ms);
      socket.once('close', () => clearTimeout(timer));
    },
    every(ms, act) {
      const timer = setInterval(act, ms);
      socket.once('close', () => clearInterval(timer));
    },
  };
}

/** Returns the bytes of the head of a response. */
export function headOf({ status = 200, headers = {} }: ResponseOptions = {}, length?: number): string {
  const all: Record<string, string | null> = {
    'Content-Type': 'application/json',
    ...(length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(length) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`;
}

export function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
