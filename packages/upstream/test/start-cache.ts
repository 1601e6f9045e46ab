import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RawReply, Reply } from '@rostergate/server';
import {
  type CachedRequest,
  createResponseCache,
  type FetchReply,
  type ResponseCacheOptions,
} from '../src/cache/index.ts';
import { createManualTime } from './manual-time.ts';

export type Headers = Record<string, string>;

export const streamOf = (body: string | Buffer, headers: Headers = {}, status = 200): RawReply => ({
  status,
  raw: Readable.from([Buffer.from(body)]),
  contentType: 'text/plain',
  headers,
});

/** Starts a cache in front of an upstream that responds to its n-th request with `answer(n, conditions)`. */
export function startCache(
  answer: (n: number, conditions: Headers | undefined) => Reply | Promise<Reply>,
  options: Partial<ResponseCacheOptions> = {},
) {
  const time = createManualTime();
  const never: ResponseCacheOptions['wait'] = () => new Promise(() => {});
  const cache = createResponseCache({ clock: time.clock, steadyClock: time.clock, wait: never, ...options });
  const asked: (Headers | undefined)[] = [];
  const fetch: FetchReply = async (conditions) => {
    asked.push(conditions as Headers | undefined);
    return answer(asked.length, conditions as Headers | undefined);
  };
  const get = (headers: Headers = {}, more: Partial<CachedRequest> = {}) =>
    cache.answer(
      {
        scope: 's',
        caller: '',
        uri: '/a',
        method: 'GET',
        headers,
        sent: (name) => headers[name],
        isGone: () => false,
        hasLeft: () => false,
        hold: () => () => {},
        secondsMax: 60,
        secondsDefault: 60,
        isPrivate: false,
        variesByCaller: false,
        isOrigin: false,
        ...more,
      },
      fetch,
    );
  return { cache, get, asked, time };
}

export interface Shown {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

export async function shown(pending: Promise<Reply>): Promise<Shown> {
  const reply = await pending;
  const headers = (reply.headers ?? {}) as Headers;
  if (!('raw' in reply)) return { status: reply.status, body: JSON.stringify(reply.body) ?? '', headers };
  const body = reply.raw instanceof Readable ? await text(reply.raw) : Buffer.from(reply.raw).toString();
  return { status: reply.status, body, headers };
}
