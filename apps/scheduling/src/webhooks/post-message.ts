import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ReceiverError } from './receiver-rules.ts';
import { type ResolvedReceiver, type ResolveOptions, resolveReceiver } from './resolve-receiver.ts';

/** What came of a POST: the status of the response, or why there is none. `aborted`: this process stops. */
export type PostOutcome =
  | { readonly kind: 'response'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a POST and returns what came of it. Never rejects. */
export type PostMessage = (request: PostRequest) => Promise<PostOutcome>;

export interface PostMessageOptions extends Omit<ResolveOptions, 'signal'> {
  /** For the whole attempt, from the lookup of the name to the head of the response. */
  readonly timeoutMs: number;
}

/**
 * Returns a function that posts to permitted addresses only. The name is resolved once, and the connection is opened to
 * one of the addresses that were checked: another response of the name server later changes nothing. Redirects are not
 * followed, and the body of the response is not read.
 */
export function createPostMessage({ timeoutMs, ...resolving }: PostMessageOptions): PostMessage {
  return async ({ url, headers, body, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ending = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    try {
      const receiver = await resolveReceiver(url, { ...resolving, signal: ending });
      return { kind: 'response', status: await post(receiver, { headers, body, signal: ending }) };
    } catch (error) {
      if (signal?.aborted) return { kind: 'aborted' };
      if (timeout.aborted) return { kind: 'failed', reason: `no response within ${timeoutMs} ms` };
      return { kind: 'failed', reason: reasonOf(error) };
    }
  };
}

/** Resolves with the status of the response. */
function post(
  { url, addresses }: ResolvedReceiver,
  { headers, body, signal }: Omit<PostRequest, 'url'>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), 'User-Agent': 'rostergate-scheduling' },
    // A connection of its own: a pooled one could have been opened under other rules.
    agent: false,
    // Set, because Node would otherwise follow NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    maxHeaderSize: 16 * 1_024,
    signal,
    lookup(_host, { all }, done) {
      const [first] = addresses;
      if (all || first === undefined) done(null, [...addresses]);
      else done(null, first.address, first.family);
    },
  });
  request.once('response', (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  request.once('upgrade', (response, socket) => {
    resolve(response.statusCode ?? 0);
    socket.destroy();
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** Returns a short reason, without the text of the error, which may contain the address. */
function reasonOf(error: unknown): string {
  if (error instanceof ReceiverError) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? `connection failed (${code})` : 'connection failed';
}
