import { randomBytes } from 'node:crypto';
import type { AtEnd } from '../../at-end.ts';
import { goodKey, spawnGateway } from '../../spawn-gateway.ts';
import { heldBy } from '../held-by.ts';
import { askRaw, type RawRequest } from '../raw-lane.ts';

/** What many requests, each with something else in it, leave in a gateway. */
export interface Varied {
  readonly count: number;
  /** Between the seventh tenth, when the counts of limits are full, and the last one, at its lowest in each. */
  readonly moreHeapBytes: number;
  readonly moreResources: number;
}

const parts = 10;
const filledAt = 6;

/** Asks a gateway that limits, each time with another media type, key, address, path, query and id. */
export async function askVaried(count: number, say: (text: string) => void, atEnd: AtEnd): Promise<Varied> {
  const endpoints = [
    { path: '/api/echo', method: 'POST', service: 'echo', requires_auth: true },
    { path: '/api/hello', method: 'GET', service: 'static', parameters: { answer: 'hello' } },
  ];
  // Refusals are logged whatever is sampled: their lines are kept here, not in the gateway.
  const settings = {
    trusted_proxies: ['127.0.0.1'],
    rate_limit_enabled: true,
    log_sample_every: 1_000_000,
    // Whoever asks for the metrics comes from one address.
    rate_limit_per_minute: 10_000,
  };
  const gateway = await spawnGateway({ settings, endpoints }, atEnd);
  const { host } = new URL(gateway.url);
  const heaps: number[] = [];
  const resources: number[] = [];
  for (let part = 0; part < parts; part++) {
    const requests = Array.from({ length: Math.ceil(count / parts) }, (_, n) => variedRequest(n, host));
    const samples: number[] = [];
    const step = Math.ceil(requests.length / 8);
    for (let at = 0; at < requests.length; at += step) {
      await askRaw(gateway.url, requests.slice(at, at + step), () => {});
      samples.push((await heldBy(gateway.url)).heapBytes);
    }
    heaps.push(Math.min(...samples));
    resources.push((await heldBy(gateway.url)).resources);
    say(
      `${(part + 1) * requests.length} varied requests, a heap of ${(Math.min(...samples) / 1_048_576).toFixed(1)} MiB`,
    );
  }
  return {
    count: parts * Math.ceil(count / parts),
    moreHeapBytes: (heaps.at(-1) ?? 0) - (heaps[filledAt] ?? 0),
    moreResources: (resources.at(-1) ?? 0) - (resources[filledAt] ?? 0),
  };
}

function variedRequest(n: number, host: string): RawRequest {
  const id = randomBytes(9).toString('hex');
  const bytes = [...randomBytes(4)];
  const shared = [
    `Host: ${host}`,
    `X-Forwarded-For: ${n % 2 === 0 ? bytes.join('.') : `2001:db8:${id.slice(0, 4)}:${id.slice(4, 8)}::1`}`,
  ];
  const key = `X-API-Key: ${n % 2 === 0 ? goodKey : id}`;
  const body = '{"a":1}';
  const post = (type: string): RawRequest => ({
    method: 'POST',
    target: '/api/echo',
    fields: [...shared, key, `Content-Type: ${type}`, `Content-Length: ${body.length}`],
    body,
  });
  const get = (target: string, ...fields: readonly string[]): RawRequest => ({
    method: 'GET',
    target,
    fields: [...shared, ...fields],
  });
  const kinds: readonly (() => RawRequest)[] = [
    () => post(`application/json; a=${id}`),
    () => post(`application/${id}+json`),
    () => post(`application/json; charset=utf-8; ${id}`),
    () => post(`${id}/${id}`),
    () => get(`/${id}`),
    () => get(`/api/${id}/${id}`, key),
    () => get(`/api/hello?${id}=1`),
    () => get('/api/hello', `Accept: application/${id}`, `Accept-Encoding: ${id}`),
    () => get('/api/hello', `Authorization: Bearer ${id}`),
    () => get('/api/hello', `X-Request-Id: ${id}`, `traceparent: 00-${id.padEnd(32, '0')}-${id.slice(0, 16)}-01`),
    () => get('/api/hello', `Origin: https://${id}.example`, `X-${id}: a`),
    () => get('/endpoints', `If-None-Match: "${id}"`, `Cookie: ${id}=1`),
  ];
  return (kinds[n % kinds.length] as () => RawRequest)();
}
