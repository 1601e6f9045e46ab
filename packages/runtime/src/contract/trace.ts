import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Problem } from '../problem/index.ts';

/** Where a request stands in a distributed trace (W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  /** Of this server's part in it. */
  readonly spanId: string;
  /** Begins a request to another server that belongs to this one. */
  startCall(call: OutgoingCall): CallTrace;
  /** The request has been answered. */
  end(outcome: TraceOutcome): void;
}

export interface OutgoingCall {
  readonly method: string;
  /** The other server's origin, such as `http://staff:8020`, when it is known beforehand. */
  readonly origin?: string | undefined;
  /** Path template, never the path itself: that may hold what must not be told. */
  readonly template?: string;
}

export interface CallTrace {
  /** `traceparent`, and `tracestate` when there is one: for the request to take along. */
  readonly headers: Readonly<Record<string, string>>;
  end(outcome: { readonly status: number } | { readonly error: unknown }): void;
}

export interface TraceOutcome {
  readonly status: number;
  readonly problem: Problem | undefined;
  /** Name of the key or account. */
  readonly principal: string | undefined;
}

export interface TracedRequest {
  readonly req: Pick<IncomingMessage, 'headers' | 'httpVersion' | 'socket'> & { readonly method: string };
  readonly route: { readonly path: string };
  readonly requestId: string;
}

/** Begins the trace of a request; what records traces brings another. */
export type StartTrace = (request: TracedRequest) => Trace;

/** Of a caller's `traceparent`. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  /** The caller's `tracestate`; vendors' words, passed on as they are. */
  readonly state: string | undefined;
}

const parentForm = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/** Reads the caller's place in a trace; undefined when there is none, or none that is valid (W3C Trace Context §3.2). */
export function readTraceParent(headers: IncomingHttpHeaders): TraceParent | undefined {
  const given = headers.traceparent;
  if (typeof given !== 'string' || given.length > 256) return undefined;
  const [, version, traceId, spanId, flags, more] = parentForm.exec(given) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), state: readTraceState(headers.tracestate) };
}

const stateMember = /^[a-z\d][\w*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** One broken member spoils the whole, which is then left out (§3.3). */
function readTraceState(given: string | string[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  const members = String(given)
    .slice(0, 8_192)
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return members.length > 0 && members.length <= 32 && members.every((m) => stateMember.test(m))
    ? members.join(',')
    : undefined;
}

/** Goes on with the caller's trace, or begins one; records nothing. */
export const continueTrace: StartTrace = ({ req }) => {
  const parent = req.headers.traceparent === undefined ? undefined : readTraceParent(req.headers);
  return new PassingTrace(parent);
};

/** A trace that only passes through: the log and the next server learn of it. */
class PassingTrace implements Trace {
  readonly traceId: string;
  readonly spanId: string;
  readonly #parent: TraceParent | undefined;

  constructor(parent: TraceParent | undefined) {
    const random = randomHex(parent === undefined ? 24 : 8);
    this.traceId = parent?.traceId ?? random.slice(16);
    this.spanId = random.slice(0, 16);
    this.#parent = parent;
  }

  startCall(): CallTrace {
    // A trace that begins here is marked as recorded, by the log: else servers behind this one would leave it out.
    const headers = traceHeaders(this.traceId, this.spanId, this.#parent?.flags ?? 1, this.#parent?.state);
    return { headers, end: doNothing };
  }

  end(): void {}
}

const doNothing = () => {};

export function traceHeaders(
  traceId: string,
  spanId: string,
  flags: number,
  state: string | undefined,
): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${(flags & 0x03).toString(16).padStart(2, '0')}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

const pool = Buffer.alloc(4_096);
let poolUsed = pool.length;

/** Random bytes in hexadecimal, from a store that is filled now and then. */
function randomHex(byteCount: number): string {
  if (poolUsed + byteCount > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const text = pool.toString('hex', poolUsed, poolUsed + byteCount);
  poolUsed += byteCount;
  return text;
}
