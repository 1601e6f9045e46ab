import type { Request, Response } from 'express';
import { type AcceptedCoding, plainOnly } from '../edge/compress.ts';
import type { Route } from './route.ts';
import { continueTrace, type StartTrace, type Trace } from './trace.ts';

/** An authenticated caller. Apps extend it with what their policies need. */
export interface Principal {
  readonly name: string;
  /** Limits are counted per owner, across all of its keys. */
  readonly owner: string;
  readonly scopes: readonly string[];
  /** When the credential expires, in milliseconds since the epoch; open connections then end. */
  readonly endsAtMs?: number | undefined;
  /** The name of its set of limits; absent for the default. */
  readonly plan?: string | undefined;
  /** The operationIds that are denied regardless of scopes. */
  readonly forbidden?: ReadonlySet<string> | undefined;
  /** The operationIds that are allowed of those that need a grant (`x-needs-grant`). */
  readonly granted?: ReadonlySet<string> | undefined;
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10. */
export interface LimitHeaders {
  readonly 'RateLimit-Policy': string;
  readonly RateLimit: string;
}

/** Changes of the header fields of a request that is forwarded. */
export interface HeaderChanges {
  /** Lower-case names whose fields are not forwarded, from the client and from the endpoint. */
  readonly dropped: ReadonlySet<string>;
  /** Further fields, as alternating names and values. */
  readonly fields: readonly string[];
}

/** Keeps a request in progress after its response, until the returned function is called. */
type Hold = () => () => void;

const holdNothing: Hold = () => () => {};

/** Everything about one request that is not in the contract: its caller, its time, and Express's request and response. */
export class Context<P extends Principal = Principal> {
  readonly req: Request;
  readonly res: Response;
  readonly route: Route;
  readonly requestId: string;
  readonly startedMs: number;
  principal: P | null = null;
  /** The content codings that the response may have. */
  accepted: AcceptedCoding = plainOnly;
  /** The rate limit headers of the response, errors included. */
  limitHeaders: LimitHeaders | undefined;
  /** The host of the upstream that was last asked, for the log. */
  upstream: string | undefined;
  /** Set by the policies of a route that change its request. A declaration only: other requests need no field. */
  declare headerChanges?: HeaderChanges;
  readonly #startTrace: StartTrace;
  readonly #hold: Hold;
  #trace: Trace | undefined;
  #call: CallController | undefined;
  #signal: AbortSignal | undefined;
  #isAbandoned = false;

  constructor(
    req: Request,
    res: Response,
    route: Route,
    requestId: string,
    startedMs: number,
    startTrace: StartTrace = continueTrace,
    hold: Hold = holdNothing,
  ) {
    this.req = req;
    this.res = res;
    this.route = route;
    this.requestId = requestId;
    this.startedMs = startedMs;
    this.#startTrace = startTrace;
    this.#hold = hold;
  }

  /** The request's part in a distributed trace. Created on first use: unlogged, unforwarded requests need none. */
  get trace(): Trace {
    this.#trace ??= this.#startTrace(this);
    return this.#trace;
  }

  /** Aborts when the response is no longer needed: the client has left, or gets another response. Created on first use. */
  get signal(): AbortSignal {
    this.#signal ??= toAbortSignal(this.call);
    return this.#signal;
  }

  /** The cheaper form of `signal`. */
  get call(): CallSignal {
    if (this.#call === undefined) {
      const call = new CallController();
      this.#call = call;
      const { res } = this;
      // Closes once; `once` would double the cost. An open stream must not hold the context, and so its configuration.
      res.on('close', () => {
        if (!res.writableFinished) call.abort();
      });
      if (res.destroyed) call.abort();
    }
    return this.#call;
  }

  /**
   * Keeps the resources of the request open after its response, until the returned function is called: for work in the
   * background.
   */
  hold(): () => void {
    return this.#hold();
  }

  /** Aborts the signal because the client gets another response than the one being prepared. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#call?.abort();
  }

  /** Returns whether an error only means that the client left during the response. */
  isClientGone(error: unknown): boolean {
    const code = (error as { code?: unknown } | null | undefined)?.code;
    const isGone = this.#call?.aborted === true && !this.#isAbandoned;
    return isGone || (code === 'ERR_STREAM_PREMATURE_CLOSE' && this.res.destroyed);
  }
}

/** Signals that the response is no longer needed. The subset of `AbortSignal` that is used; an `AbortSignal` is one. */
export interface CallSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A controller for one abort. Every request has one and few are aborted: it costs a tenth of an `AbortController`. */
export class CallController implements CallSignal {
  #isAborted = false;
  /** Usually the only listener, so that no list is needed. */
  #first: (() => void) | undefined;
  #more: (() => void)[] | undefined;

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#first === undefined && this.#more === undefined) this.#first = listener;
    else {
      this.#more ??= [];
      this.#more.push(listener);
    }
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#first === listener) {
      this.#first = undefined;
      return;
    }
    const at = this.#more?.indexOf(listener) ?? -1;
    if (at >= 0) this.#more?.splice(at, 1);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    const [first, more] = [this.#first, this.#more];
    this.#first = undefined;
    this.#more = undefined;
    first?.();
    if (more !== undefined) for (const listener of more) listener();
  }
}

/** Returns the signal as an `AbortSignal`. */
export function toAbortSignal(signal: CallSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}
