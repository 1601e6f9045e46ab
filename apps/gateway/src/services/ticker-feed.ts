import { parseTickers, type TickerList } from './tickers.ts';

export interface TickerFeed {
  /** Returns the list within `patienceMs`; never fails. */
  read(): TickerList | Promise<TickerList>;
}

export interface TickerFeedOptions {
  readonly url: string;
  /** The list when the ticker service does not respond. */
  readonly snapshot: TickerList;
  readonly fetch: (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Resolves after the given time, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Called for each failed request, for the log. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** How long a list, or a failure, is used. */
  readonly holdMs?: number;
  /** How long callers wait for a request; then they get the snapshot while the request continues. */
  readonly patienceMs?: number;
  /** The total time of a request. */
  readonly deadlineMs?: number;
}

const bytesMax = 4 * 1024 * 1024;

/**
 * Returns a list that all callers share. The first read after `holdMs` starts a request; callers wait for it at most
 * `patienceMs` from its start, and a later success is still used.
 */
export function createTickerFeed(options: TickerFeedOptions): TickerFeed {
  const { url, snapshot, fetch, clock, wait, onFailure } = options;
  const { holdMs = 30_000, patienceMs = 2_000, deadlineMs = 10_000 } = options;
  let current: TickerList = snapshot;
  let holdsUntilMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<TickerList> | undefined;

  async function fetchList(): Promise<TickerList> {
    const deadline = new AbortController();
    const late = wait(deadlineMs, deadline.signal).then(() => {
      const error = new Error(`No complete response within ${deadlineMs} ms.`);
      deadline.abort(error);
      throw error;
    });
    try {
      const list = load(deadline.signal);
      list.catch(() => undefined);
      return await Promise.race([list, late]);
    } finally {
      deadline.abort();
      late.catch(() => undefined);
    }
  }

  async function load(signal: AbortSignal): Promise<TickerList> {
    const response = await fetch(url, { signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`The ticker service responded with ${response.status}.`);
    }
    const tickers = parseTickers(JSON.parse(await readText(response)));
    return { tickers, source: 'live', as_of: new Date(clock()).toISOString() };
  }

  function begin(): Promise<TickerList> {
    const settled = new AbortController();
    const settle = (list: TickerList) => {
      current = list;
      holdsUntilMs = clock() + holdMs;
      settled.abort();
      return list;
    };
    const outcome = fetchList().then(settle, (error: unknown) => {
      onFailure?.(error);
      return settle(snapshot);
    });
    // After `patienceMs`, callers get the snapshot until the request ends.
    const patience = wait(patienceMs, settled.signal).then(
      () => {
        if (!settled.signal.aborted) {
          current = snapshot;
          holdsUntilMs = Number.POSITIVE_INFINITY;
        }
        return current;
      },
      () => outcome,
    );
    return Promise.race([outcome, patience]).finally(() => {
      pending = undefined;
    });
  }

  return {
    read() {
      if (clock() < holdsUntilMs) return current;
      pending ??= begin();
      return pending;
    },
  };
}

/** Returns the body as text; throws if it is longer than any ticker list. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Error(`The ticker service sent more than ${bytesMax} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
