import type { Socket } from 'node:net';
import type { SeenRequest } from './read-requests.ts';

/** One request, and the socket over which it came: what a fault is made with. */
export interface Exchange {
  readonly request: SeenRequest;
  readonly socket: Socket;
  /** A whole answer; JSON of 200 unless said otherwise. A header given replaces the usual one, `null` leaves it out. */
  answer(body: string, more?: AnswerOptions): void;
  write(bytes: string | Uint8Array): void;
  /** Ends the connection in order. */
  end(): void;
  /** Sends RST. */
  reset(): void;
  /** Does something so much later, unless the connection has ended by then. */
  later(ms: number, act: () => void): void;
  /** Does something again and again until the connection ends. */
  every(ms: number, act: () => void): void;
}

export interface AnswerOptions {
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
    answer: (body, more) => write(headOf(more, Buffer.byteLength(body)) + body),
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

/** The head of an answer as it goes over the wire. */
export function headOf({ status = 200, headers = {} }: AnswerOptions = {}, length?: number): string {
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
