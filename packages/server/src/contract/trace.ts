import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Problem } from '../problem/index.ts';

/** A request's part in a distributed trace (W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  /** The span of this server. */
  readonly spanId: string;
  /** Begins a span for a request to another server. */
  startCall(call: OutgoingCall): CallTrace;
  /** Ends the span, after the response. */
  end(outcome: TraceOutcome): void;
}

export interface OutgoingCall {
  readonly method: string;
  /** The other server's origin, such as `http://staff:8020`, if known in advance. */
  readonly origin?: string | undefined;
  /** Path template; never the path itself, which may contain personal data. */
  readonly template?: string;
}

export interface CallTrace {
  /** `traceparent`, and `tracestate` if present, for the outgoing request. */
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

/** Begins the trace of a request. */
export type StartTrace = (request: TracedRequest) => Trace;

/** The contents of a client's `traceparent`. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  /** The client's `tracestate`, forwarded unchanged. */
  readonly state: string | undefined;
}

const parentForm = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/** Returns the client's trace context; undefined when it is absent or invalid (W3C Trace Context §3.2). */
export function readTraceParent(headers: IncomingHttpHeaders): TraceParent | undefined {
  const sent = headers.traceparent;
  if (typeof sent !== 'string' || sent.length > 256) return undefined;
  const [, version, traceId, spanId, flags, more] = parentForm.exec(sent) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), state: readTraceState(headers.tracestate) };
}

const stateMember = /^[a-z\d][\w*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Returns undefined if any member is invalid (§3.3). */
function readTraceState(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const members = String(header)
    .slice(0, 8_192)
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return members.length > 0 && members.length <= 32 && members.every((m) => stateMember.test(m))
    ? members.join(',')
    : undefined;
}

/** Continues the client's trace or begins one, without recording it. */
export const continueTrace: StartTrace = ({ req }) => {
  const parent = req.headers.traceparent === undefined ? undefined : readTraceParent(req.headers);
  return new PassingTrace(parent);
};

/** A trace that is logged and forwarded, but not recorded. */
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
    // A new trace is marked as sampled, since the log records it: otherwise upstreams would not record it.
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

/** Returns random bytes in hexadecimal, from a pool that is refilled when empty. */
function randomHex(byteCount: number): string {
  if (poolUsed + byteCount > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const text = pool.toString('hex', poolUsed, poolUsed + byteCount);
  poolUsed += byteCount;
  return text;
}
