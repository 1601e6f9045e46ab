import { createRandom, type Random } from '../../../../../apps/scheduling/src/demo/random.ts';
import type { AtEnd } from '../../at-end.ts';
import { goodKey, spawnGateway } from '../../spawn-gateway.ts';
import { askRaw, type RawRequest } from '../raw-lane.ts';
import { inspectable, type Resources, readRestingResources } from '../read-resources.ts';

/** The state that many different requests leave in a gateway. */
export interface Varied {
  readonly count: number;
  /** From the end of the seventh tenth, when the counts of limits are full, to the end of the last one. */
  readonly moreHeapBytesPerRequest: number;
  readonly moreResources: number;
  /** Requests with a 2xx response, and those of them with a body. */
  readonly accepted: number;
  readonly acceptedBodies: number;
  /** Requests without a response or with a 5xx. */
  readonly faults: readonly string[];
}

export interface VariedOptions {
  readonly count: number;
  readonly seed: number;
  readonly say: (text: string) => void;
  readonly atEnd: AtEnd;
}

const parts = 10;
const filledAt = 6;

/** Sends requests with random media types, keys, addresses, paths, queries and ids to a gateway with limits. */
export async function askVaried({ count, seed, say, atEnd }: VariedOptions): Promise<Varied> {
  const random = createRandom(`varied ${seed}`);
  const endpoints = [
    { path: '/api/echo', method: 'POST', service: 'echo', requires_auth: true },
    { path: '/api/hello', method: 'GET', service: 'static', parameters: { answer: 'hello' } },
  ];
  // Rejections are always logged; their lines are stored in this process, not in the gateway.
  const settings = {
    trusted_proxies: ['127.0.0.1'],
    rate_limit_enabled: true,
    log_sample_every: 1_000_000,
    // Limits above the load, so that requests reach the whole pipeline.
    rate_limit_per_minute: 10_000,
    rate_limit_per_minute_authenticated: 1_000_000,
  };
  const gateway = await spawnGateway({ settings, endpoints, env: inspectable }, atEnd);
  const { host } = new URL(gateway.url);
  const held: Resources[] = [];
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let [accepted, acceptedBodies] = [0, 0];
  const each = Math.ceil(count / parts);
  const known = Array.from({ length: knownAddresses }, () => drawAddress(random));
  for (let part = 0; part < parts; part++) {
    // Exact windows grow with each address until they are full. Growth after that has another cause.
    const address = () => (part < filledAt ? drawAddress(random) : random.pick(known));
    const requests = Array.from({ length: each }, () => variedRequest(random, host, address()));
    await askRaw(gateway.url, requests, ({ method, target, fields }, { status, head }) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 0 || status >= 500) faults.push(`${method} ${target} [${fields.join(', ')}] is ${status || head}`);
      if (status < 200 || status >= 300) return;
      accepted++;
      if (method === 'POST') acceptedBodies++;
    });
    const now = await readRestingResources(gateway);
    held.push(now);
    say(`${(part + 1) * each} varied requests, a heap of ${(now.heapBytes / 1_048_576).toFixed(2)} MiB`);
  }
  say(`varied: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`);
  const growth = (what: keyof Resources) => (held.at(-1)?.[what] ?? 0) - (held[filledAt]?.[what] ?? 0);
  return {
    ...{ count: parts * each, accepted, acceptedBodies, faults },
    moreHeapBytesPerRequest: growth('heapBytes') / ((parts - 1 - filledAt) * each),
    moreResources: growth('resources'),
  };
}

const knownAddresses = 200;

function drawAddress(random: Random): string {
  const bytes = Array.from({ length: 4 }, () => random.integer(1, 254));
  if (random.chance(0.5)) return bytes.join('.');
  return `2001:db8:${random.integer(0, 0xffff).toString(16)}:${random.integer(0, 0xffff).toString(16)}::1`;
}

function variedRequest(random: Random, host: string, address: string): RawRequest {
  const id = random.guid().replaceAll('-', '').slice(0, 18);
  const shared = [`Host: ${host}`, `X-Forwarded-For: ${address}`];
  const key = `X-API-Key: ${random.chance(0.5) ? goodKey : id}`;
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
  return random.pick(kinds)();
}
