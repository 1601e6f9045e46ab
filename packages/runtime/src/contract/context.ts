import type { Request, Response } from 'express';
import { type AcceptedCoding, plainOnly } from '../edge/content-coding.ts';
import { CallController, type CallSignal, toAbortSignal } from './call-signal.ts';
import type { Route } from './route.ts';
import { continueTrace, type StartTrace, type Trace } from './trace.ts';

/** Who calls, once authenticated. Apps extend it with what their policies need. */
export interface Principal {
  readonly name: string;
  /** Limits count per owner, however many keys one has. */
  readonly owner: string;
  readonly scopes: readonly string[];
  /** What it may not do whatever its scopes, by operationId; nothing when absent. */
  readonly forbidden?: ReadonlySet<string> | undefined;
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-08. */
export interface LimitHeaders {
  readonly 'RateLimit-Policy': string;
  readonly RateLimit: string;
}

/** Holds a request after its response, until the function that it returns is called. */
type Hold = () => () => void;

const holdNothing: Hold = () => () => {};

/** Everything about one request that is not in the contract: who calls, when, and the raw sockets. */
export class Context<P extends Principal = Principal> {
  readonly req: Request;
  readonly res: Response;
  readonly route: Route;
  readonly requestId: string;
  readonly startedMs: number;
  principal: P | null = null;
  /** What the answer may be compressed with. */
  accepted: AcceptedCoding = plainOnly;
  /** What the answer tells of limits, whatever else it is. */
  limitHeaders: LimitHeaders | undefined;
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

  /** Where the request stands in a distributed trace. Made on first use: what is neither logged nor sent on has none. */
  get trace(): Trace {
    this.#trace ??= this.#startTrace(this);
    return this.#trace;
  }

  /** Aborts when nobody waits for the answer any more: the caller has gone away, or was told otherwise. Made on first use: most handlers never ask. */
  get signal(): AbortSignal {
    this.#signal ??= toAbortSignal(this.call);
    return this.#signal;
  }

  /** The same sign for less. */
  get call(): CallSignal {
    if (this.#call === undefined) {
      const call = new CallController();
      this.#call = call;
      // It closes once; `once` would cost as much again to say so.
      this.res.on('close', () => {
        if (!this.res.writableFinished) call.abort();
      });
      if (this.res.destroyed) call.abort();
    }
    return this.#call;
  }

  /**
   * Keeps what the request uses from being closed after its response, until the function that this returns is called:
   * for work that goes on in the background.
   */
  hold(): () => void {
    return this.#hold();
  }

  /** The caller will be told something else than what is being worked on: whoever listens to the signal may stop. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#call?.abort();
  }

  /** Whether an error only says that the caller has gone away in the middle of the answer. */
  isCallerGone(error: unknown): boolean {
    const code = (error as { code?: unknown } | null | undefined)?.code;
    const isGone = this.#call?.aborted === true && !this.#isAbandoned;
    return isGone || (code === 'ERR_STREAM_PREMATURE_CLOSE' && this.res.destroyed);
  }
}
