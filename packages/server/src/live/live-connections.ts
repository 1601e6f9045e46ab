import { runInSlices, type Steps } from '../steps.ts';

/** Why a WebSocket or stream has ended. */
export type CloseReason = 'client' | 'upstream' | 'idle' | 'credential' | 'address' | 'endpoint' | 'shutdown';

/** The close code (RFC 6455 §7.4) and text for each reason for which this server closes a WebSocket. */
export const closings: Readonly<Record<CloseReason, { readonly code: number; readonly text: string }>> = {
  client: { code: 1001, text: 'The client has left.' },
  upstream: { code: 1001, text: 'The upstream has closed the connection.' },
  idle: { code: 1001, text: 'No data was sent for too long.' },
  credential: { code: 1008, text: 'The key is no longer valid for this endpoint.' },
  address: { code: 1008, text: 'This address is no longer allowed to connect.' },
  endpoint: { code: 1001, text: 'The endpoint is no longer served.' },
  shutdown: { code: 1001, text: 'The server is shutting down.' },
};

/** What is stored of the request of an open connection: enough to check its credential and address again. */
export interface LiveRequest {
  readonly kind: 'websocket' | 'stream';
  readonly operationId: string;
  /** The template of the path. */
  readonly path: string;
  readonly requestId: string;
  readonly owner: string | undefined;
  /** The name of the key. */
  readonly key: string | undefined;
  /** The headers with the credential and the address before a proxy, as names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string | undefined;
  /** When the credential expires; undefined for never. */
  readonly endsAtMs: number | undefined;
}

/**
 * Checks an open connection against a configuration: returns when it must end, if ever, or why it must end now;
 * undefined if that cannot be checked.
 */
export type Readmit = (
  request: LiveRequest,
) => Promise<{ readonly endsAtMs: number | undefined } | CloseReason | undefined>;

export interface LiveConnectionsOptions {
  /** Milliseconds since the epoch: for the expiry of credentials. */
  readonly clock: () => number;
  readonly onOpen?: (request: LiveRequest) => void;
  /** `error` is the fault of the upstream that ended the connection, if any. */
  readonly onClosed?: (request: LiveRequest, reason: CloseReason, usage: LiveUsage, error: unknown) => void;
}

export interface LiveUsage {
  readonly durationMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The counters of a socket. */
interface CountedSocket {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/**
 * The open WebSockets and event streams of a process. They outlive the configuration that admitted them, of which they
 * hold nothing; each later configuration checks them again.
 */
export class LiveConnections {
  readonly #options: LiveConnectionsOptions;
  readonly #open = new Set<LiveConnection>();
  /** By operationId. */
  readonly #places = new Map<string, number>();
  #readmit: Readmit | undefined;
  #isDraining = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: LiveConnectionsOptions) {
    this.#options = options;
  }

  /** Takes one of `max` places of an operation and returns the function that frees it; undefined when all are taken. */
  takePlace(operationId: string, max: number): (() => void) | undefined {
    const taken = this.#places.get(operationId) ?? 0;
    if (taken >= max) return undefined;
    this.#places.set(operationId, taken + 1);
    return () => {
      const left = (this.#places.get(operationId) ?? 1) - 1;
      if (left === 0) this.#places.delete(operationId);
      else this.#places.set(operationId, left);
    };
  }

  /**
   * Adds an open connection; `end` closes it for a reason, `admittedBy` belongs to the configuration that admitted it.
   * Returns the function to call when it is closed.
   */
  add(
    request: LiveRequest,
    socket: CountedSocket,
    end: (reason: CloseReason) => void,
    admittedBy: Readmit,
  ): (reason: CloseReason, error?: unknown) => void {
    const connection = new LiveConnection(request, socket, end);
    this.#open.add(connection);
    this.#options.onOpen?.(request);
    if (request.endsAtMs !== undefined) this.#watchExpiry();
    if (this.#isDraining) end('shutdown');
    // The configuration has changed during the handshake.
    else if (this.#readmit !== undefined && this.#readmit !== admittedBy) void this.#check(connection, this.#readmit);
    return (reason, error) => {
      if (!this.#open.delete(connection)) return;
      this.#options.onClosed?.(request, reason, connection.usage(), error);
    };
  }

  /** Ends every connection that the configuration of `readmit` would not admit. */
  async recheck(readmit: Readmit): Promise<void> {
    this.#readmit = readmit;
    await runInSlices(this.#checkAll(readmit));
  }

  *#checkAll(readmit: Readmit): Steps<void> {
    for (const connection of this.#open) {
      if (this.#readmit !== readmit) return;
      void this.#check(connection, readmit);
      yield;
    }
  }

  async #check(connection: LiveConnection, readmit: Readmit): Promise<void> {
    const verdict = await readmit(connection.request);
    if (typeof verdict === 'string') connection.end(verdict);
    // A check that failed, or against a former configuration, changes no known end.
    else if (verdict !== undefined && readmit === this.#readmit) {
      connection.endsAtMs = verdict.endsAtMs;
      if (verdict.endsAtMs !== undefined) this.#watchExpiry();
    }
  }

  #watchExpiry(): void {
    this.#expiry ??= setInterval(() => {
      const nowMs = this.#options.clock();
      let isNeeded = false;
      for (const connection of this.#open) {
        if (connection.endsAtMs === undefined) continue;
        isNeeded = true;
        if (connection.endsAtMs <= nowMs) connection.end('credential');
      }
      if (isNeeded) return;
      clearInterval(this.#expiry);
      this.#expiry = undefined;
    }, expiryCheckMs).unref();
  }

  /** Ends every connection, and later ones as soon as they are open, because the server stops. */
  drain(): void {
    this.#isDraining = true;
    for (const { end } of this.#open) end('shutdown');
  }
}

const expiryCheckMs = 250;

class LiveConnection {
  readonly request: LiveRequest;
  readonly end: (reason: CloseReason) => void;
  endsAtMs: number | undefined;
  readonly #socket: CountedSocket;
  readonly #startedMs = performance.now();
  readonly #bytesRead: number;
  readonly #bytesWritten: number;

  constructor(request: LiveRequest, socket: CountedSocket, end: (reason: CloseReason) => void) {
    this.request = request;
    this.end = end;
    this.endsAtMs = request.endsAtMs;
    this.#socket = socket;
    this.#bytesRead = socket.bytesRead;
    this.#bytesWritten = socket.bytesWritten;
  }

  usage(): LiveUsage {
    return {
      durationMs: performance.now() - this.#startedMs,
      bytesIn: this.#socket.bytesRead - this.#bytesRead,
      bytesOut: this.#socket.bytesWritten - this.#bytesWritten,
    };
  }
}
