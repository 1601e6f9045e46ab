import type { Readable } from 'node:stream';

/** One request outwards. `path` and `body` go out as they stand. */
export interface OutwardRequest {
  readonly method: string;
  /** From the root, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** What came back. The body is to be read to its end or destroyed: it holds a connection. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** Sends one request; throws `upstream_failed` or `upstream_timeout` when there is no answer by the deadline. */
export type Transport = (request: OutwardRequest) => Promise<UpstreamAnswer>;
