import type { AskOptions } from '../promises/ask.ts';
import { askOnce, type Reply } from '../promises/ask.ts';

/** A request and its reply as its client sees them. Times are of `performance.now()`. */
export interface Exchange {
  /** What the request is for, such as `generation`. */
  readonly kind: string;
  /** The number of the gateway. */
  readonly gateway: number;
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly reply: Reply;
  /** What the request is about: a key, a version, an id. */
  readonly about: string | number;
}

/** A time in which a disturbance explains failures of one kind. */
export interface Span {
  /**
   * `connections`: connections to the gateway may break or be refused. `no worker`: the gateway may respond that none
   * is running. `upstream`: 502, 503 and 504 of forwarding endpoints. `store`: each gateway may count by itself.
   */
  readonly allows: 'connections' | 'no worker' | 'upstream' | 'store';
  /** Absent for all gateways. */
  readonly gateway?: number;
  readonly fromMs: number;
  /** Infinity while it lasts. */
  toMs: number;
}

/** What happens in one scenario, for the invariants. */
export interface ExchangeLog {
  readonly exchanges: readonly Exchange[];
  readonly spans: readonly Span[];
  ask(about: Pick<Exchange, 'kind' | 'gateway' | 'about'>, url: string, options?: AskOptions): Promise<Exchange>;
  /** Begins a span; the result ends it, and keeps it for as long after that. */
  allow(allows: Span['allows'], gateway?: number): (lastsMs?: number) => void;
}

export function createExchangeLog(): ExchangeLog {
  const exchanges: Exchange[] = [];
  const spans: Span[] = [];
  return {
    exchanges,
    spans,
    async ask(about, url, options) {
      const sentMs = performance.now();
      const reply = await askOnce(url, options);
      const exchange = { ...about, sentMs, receivedMs: performance.now(), reply };
      exchanges.push(exchange);
      return exchange;
    },
    allow(allows, gateway) {
      const span: Span = {
        ...{ allows, fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY },
        ...(gateway === undefined ? {} : { gateway }),
      };
      spans.push(span);
      return (lastsMs = 0) => {
        span.toMs = performance.now() + lastsMs;
      };
    },
  };
}

/** Returns whether a span of that kind overlaps the time of an exchange. */
export function isAllowed(
  spans: readonly Span[],
  allows: Span['allows'],
  { gateway, sentMs, receivedMs }: Pick<Exchange, 'gateway' | 'sentMs' | 'receivedMs'>,
): boolean {
  return spans.some(
    (span) =>
      span.allows === allows &&
      (span.gateway === undefined || span.gateway === gateway) &&
      span.fromMs <= receivedMs &&
      span.toMs >= sentMs,
  );
}
