import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Headers } from './reply-headers.ts';

export type LocalClient = Pick<Socket, 'remoteAddress'> & Partial<Pick<TLSSocket, 'encrypted'>>;

export interface LocalResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Whether the response ended within the most bytes that the caller reads. */
  readonly isWhole: boolean;
}

/**
 * Takes the place of the connection of a local request: what the server writes becomes the response. It has the members of
 * a socket that Node's messages use; a `Writable` would cost more than the rest of a local request.
 */
export class LocalSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  readonly encrypted: boolean | undefined;
  readonly readable = false;
  readonly bytesRead = 0;
  readonly writableLength = 0;
  /** Node resets it at the end of a response. */
  readonly _writableState = { corked: 0 };
  bytesWritten = 0;
  destroyed = false;
  /** Whether the caller has its response. */
  hasResponded = false;
  readonly #bytesMax: number;
  readonly #resolve: (response: LocalResponse) => void;
  #head: Head | undefined;
  readonly #chunks: Buffer[] = [];
  #bodyBytes = 0;

  constructor({ remoteAddress, encrypted }: LocalClient, bytesMax: number, resolve: (response: LocalResponse) => void) {
    super();
    this.remoteAddress = remoteAddress;
    this.encrypted = encrypted;
    this.#bytesMax = bytesMax;
    this.#resolve = resolve;
  }

  get writable(): boolean {
    return !this.destroyed;
  }

  get closed(): boolean {
    return this.destroyed;
  }

  cork(): void {}

  uncork(): void {}

  write(chunk: string | Uint8Array, encoding?: BufferEncoding, done?: (error?: Error) => void): boolean {
    if (this.destroyed) {
      if (done) process.nextTick(done, brokenOff());
      return false;
    }
    const body = this.#head === undefined ? this.#readHead(chunk as string) : chunk;
    if (body.length > 0) this.#addBody(typeof body === 'string' ? Buffer.from(body, encoding) : Buffer.from(body));
    if (done) process.nextTick(done);
    return true;
  }

  /** Closes the connection; the response is broken off unless it has ended. */
  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    process.nextTick(() => this.emit('close'));
    return this;
  }

  /** Takes a whole response before it is ended. */
  take(status: number, headers: Headers, body: string | Uint8Array | undefined): void {
    if (this.destroyed) return;
    this.#head = { status, headers: byLowerName(headers) };
    if (body !== undefined) this.#addBody(Buffer.from(body as string));
  }

  /** Reads the head, which Node writes at once, before it any number of interim ones; returns the rest. */
  #readHead(text: string): string {
    let rest = text;
    while (this.#head === undefined && rest !== '') {
      const end = rest.indexOf('\r\n\r\n');
      const head = rest.slice(0, end);
      rest = rest.slice(end + 4);
      this.bytesWritten += head.length + 4;
      if (!interim.test(head)) this.#head = parseHead(head);
    }
    return rest;
  }

  #addBody(bytes: Buffer): void {
    this.bytesWritten += bytes.length;
    this.#bodyBytes += bytes.length;
    this.#chunks.push(bytes);
    if (this.#bodyBytes > this.#bytesMax) this.#respond();
  }

  /** Ends the response; one whose body has another length than it announces is broken off. */
  finish(isHead: boolean): void {
    if (this.destroyed) return;
    const { status, headers } = this.#head as Head;
    const length = headers['content-length'];
    if (isHead || status === 304 || length === undefined || Number(length) === this.#bodyBytes) this.#respond();
    else this.destroy();
  }

  #respond(): void {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const isWhole = bytes.length <= this.#bytesMax;
    const body = isWhole ? bytes : bytes.subarray(0, this.#bytesMax);
    this.hasResponded = true;
    this.#resolve({ ...(this.#head as Head), body, isWhole });
    this.destroy();
  }
}

type Head = Pick<LocalResponse, 'status' | 'headers'>;

const interim = /^HTTP\/1\.1 1/;

/** With Node's code for a stream that was destroyed. */
function brokenOff(): Error {
  return Object.assign(new Error('The request was broken off.'), { code: 'ERR_STREAM_DESTROYED' });
}

/** Returns the status and the fields of a head; the last one of a name counts. */
function parseHead(head: string): Head {
  const headers: Record<string, string> = {};
  for (let at = head.indexOf('\r\n'); at >= 0; ) {
    const next = head.indexOf('\r\n', at + 2);
    const colon = head.indexOf(':', at);
    headers[head.slice(at + 2, colon).toLowerCase()] = head.slice(colon + 2, next < 0 ? head.length : next);
    at = next;
  }
  return { status: Number(head.slice(9, 12)), headers };
}

function byLowerName(headers: Headers): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name] as Headers[string];
    found[name.toLowerCase()] = String(typeof value === 'object' ? value.at(-1) : value);
  }
  return found;
}
