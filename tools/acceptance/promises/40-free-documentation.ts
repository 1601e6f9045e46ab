import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { askMany, askOnce, countStatuses, type Reply } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-services.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

const limits = { anonymous: 60, authenticated: 300, auxiliary: 600 };
const origin = 'https://app.example';
const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
/** Page views, scraper requests and preflights per minute. */
const perMinute = { views: 10, scrapes: 60, preflights: 60 };

const withRedis = 'gateway with Redis';
/** How many requests of a flood may be rejected with 503 because Redis was late. */
const unknownMax = 150;
/** How often a flood is sent, each time from another address. */
const floodsMax = 5;
/** How often the quota is asked for while Redis is late. */
const questionsMax = 10;

interface Documented {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  /** A path whose requests count against the quota of the client. */
  readonly countedPath: string;
}

export const promise = definePromise({
  number: 40,
  title: 'Documentation never costs quota',
  done: 'One address loads the pages with all their files, polls like an open landing page, scrapes metrics and sends preflights, with and without a key, at a gateway, a gateway with two workers, a gateway with Redis, and a proxy; then another address sends 1,500 such requests at once',
  excludes:
    'floods of which Redis rejects more than 150 requests with 503 because it was late: another address repeats them, up to four times; and questions for the used quota that it rejects so',
  target: '0 × 429',
  runsAlone: 'always',
  async run({ byScale, atEnd }) {
    const forMs = byScale({ ci: 6_000, full: 130_000 });
    const servers = await startDocumented(atEnd);
    const figures = (await Promise.all(servers.map((one) => tryServer(one, forMs)))).flat();
    for (const one of servers) figures.push(...(await flood(one)));
    return figures;
  },
});

async function startDocumented(atEnd: AtEnd): Promise<readonly Documented[]> {
  const redis = await needRedis(atEnd);
  const settings = {
    ...{ rate_limit_enabled: true, cors_origins: [origin], log_sample_every: 100_000 },
    trusted_proxies: ['127.0.0.1'],
  };
  const gatewayOf = async (name: string, more: object): Promise<Documented> => {
    const { url } = await spawnGateway({ settings: { ...settings, ...more } }, atEnd);
    return { name, url, key: goodKey, countedPath: '/endpoints' };
  };
  const { proxy, stop } = await spawnFaultedProxy({ accounts: ['ann'], settings: settings as never }, spawnProxy);
  atEnd(stop);
  return [
    await gatewayOf('gateway', {}),
    await gatewayOf('gateway with workers', { workers: 2 }),
    // When Redis is late, the gateway would count a part of the flood itself.
    await gatewayOf(withRedis, { redis_url: redis.url, rate_limit_on_store_failure: 'closed' }),
    { name: 'proxy', url: proxy.url, key: keyOf('ann'), countedPath: '/nowhere' },
  ];
}

async function tryServer({ name, url, key, countedPath }: Documented, forMs: number): Promise<readonly Figure[]> {
  const callers = [{}, { 'X-API-Key': key }];
  const files = await filesOf(url);
  const counts = { requests: 0, rejected: 0 };
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { status } = await askOnce(url + path, { method, headers });
    counts.requests++;
    if (status === 429) counts.rejected++;
  };
  const endMs = performance.now() + forMs;
  // Sends the requests of a minute at once, so that a short trial reaches the limits too.
  for (const headers of callers) {
    for (let i = 0; i < perMinute.views / 2; i++) await Promise.all(files.map((file) => ask(file, headers)));
    for (let i = 0; i < perMinute.scrapes / 2; i++) await ask('/metrics', headers);
  }
  for (let i = 0; i < perMinute.preflights; i++) await ask(countedPath, preflight, 'OPTIONS');
  const repeat = async (times: number, once: () => Promise<unknown>) => {
    while (performance.now() < endMs) {
      await wait(60_000 / times);
      await once();
    }
  };
  let turn = 0;
  await Promise.all([
    repeat(perMinute.views, () =>
      Promise.all(files.map((file) => ask(file, callers[turn++ % callers.length] as Record<string, string>))),
    ),
    repeat(30, () => ask('/metrics', {})),
    repeat(6, () => ask('/health/ready', {})),
    repeat(12, () => ask('/metrics', { 'X-API-Key': key })),
    repeat(perMinute.preflights, () => ask(countedPath, preflight, 'OPTIONS')),
  ]);
  const leftOf = await Promise.all(
    callers.map(async (headers) => {
      for (let asked = 1; ; asked++) {
        const { status, headers: received } = await askOnce(url + countedPath, { headers });
        const isLate = status === 503 && name === withRedis;
        // A late Redis may have counted the questions that got no response.
        if (!isLate || asked === questionsMax) return left(received) + asked - 1;
        await wait(1_000);
      }
    }),
  );
  const used = [limits.anonymous - 1, limits.authenticated - 1].map((whole, i) => whole - (leftOf[i] as number));
  return [
    toFigure({ name: `429 at the ${name}`, unit: '', max: 0 }, counts.rejected),
    toFigure({ name: 'used of the anonymous quota', unit: '', max: 0 }, used[0] as number),
    toFigure({ name: 'used of the quota of a key', unit: '', max: 0 }, used[1] as number),
    toFigure({ name: 'requests', unit: '', min: 170 }, counts.requests),
  ];
}

/** Sends what the auxiliary quota of an address limits. */
async function flood({ name, url, key, countedPath }: Documented, attempt = 1): Promise<readonly Figure[]> {
  const from = { 'X-Forwarded-For': `203.0.113.${65 + attempt}` };
  const asked = await askMany({
    count: 1_500,
    abreast: 20,
    ask: (n) => {
      if (n % 3 === 0) return { url: url + countedPath, method: 'OPTIONS', headers: { ...preflight, ...from } };
      const more = n % 2 === 0 ? {} : { 'X-API-Key': key };
      return { url: url + (n % 3 === 1 ? '/metrics' : '/docs'), headers: { ...from, ...more } };
    },
  });
  const { 429: rejected = 0, 503: unknown = 0 } = countStatuses(asked);
  if (name === withRedis && unknown > unknownMax && attempt < floodsMax)
    return flood({ name, url, key, countedPath }, attempt + 1);
  const admitted = { name: `admitted of a flood at the ${name}`, unit: '', max: limits.auxiliary };
  const late = toFigure({ name: '503 of the flood, because Redis was late', unit: '', max: unknownMax }, unknown);
  return [
    toFigure(admitted, asked.length - rejected - (name === withRedis ? unknown : 0)),
    toFigure({ name: 'wrongly rejected of the flood', unit: '', max: 0 }, rejected - (asked.length - limits.auxiliary)),
    ...(name === withRedis ? [late] : []),
  ];
}

function left({ ratelimit }: Reply['headers']): number {
  return Number(/;r=(\d+)/.exec(String(ratelimit))?.[1]);
}

/** Returns every file that a browser loads for the three pages. */
async function filesOf(url: string): Promise<readonly string[]> {
  const pages = ['/', '/docs', '/redoc'];
  const texts = await Promise.all(pages.map((page) => askOnce(url + page)));
  const assets = texts.flatMap(({ text }) => [
    ...text.matchAll(/(?:src|href)="((?:assets|docs|redoc|roster)\/[^"]+)"/g),
  ]);
  return [...pages, ...new Set(assets.map(([, asset]) => `/${asset}`)), '/openapi.json'];
}
