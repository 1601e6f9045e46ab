import { createHash } from 'node:crypto';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { askMany } from '../src/promises/ask.ts';
import { askAtOnce } from '../src/promises/ask-at-once.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-services.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

const planKey = 'promise-key-with-a-plan';
const callers = [
  { name: 'without a key', limit: 60, headers: {} },
  { name: 'with a key', limit: 300, headers: { 'X-API-Key': goodKey } },
  { name: 'with a plan of three windows', limit: 200, headers: { 'X-API-Key': planKey } },
];
const plans = {
  gold: {
    limits: [
      { requests: 400, per: 'minute' },
      { requests: 200, per: 'hour' },
    ],
    quota: { requests: 20_000, per: 'month' },
  },
};
const common = { rate_limit_enabled: true, log_sample_every: 100_000, plans };
const files = {
  'keys.json': JSON.stringify({
    keys: [{ name: 'plan', owner: 'plan', plan: 'gold', sha256: createHash('sha256').update(planKey).digest('hex') }],
  }),
};

export const promise = definePromise({
  number: 9,
  title: 'The limit is exact across processes',
  done: 'Four gateways count in one Redis while 10,000 requests arrive at once, on as many open connections, with and without a key, and with a plan of three windows; two workers of one gateway count together under 16 connections',
  target: 'exactly 60, 300 and 200 admitted',
  // On a busy machine Redis is late, and requests are rejected with 503.
  runsAlone: 'always',
  async run({ byScale, atEnd }) {
    const count = byScale({ ci: 4_000, full: 10_000 });
    const redis = await needRedis(atEnd);
    // `closed`: no gateway counts alone, so Redis admits every request.
    const inRedis = {
      ...{ ...common, redis_url: redis.url, rate_limit_on_store_failure: 'closed' },
      // Connections stay open while more are opened.
      ...{ headers_timeout_ms: 60_000, request_timeout_ms: 60_000 },
    };
    const gateways = await Promise.all(
      Array.from({ length: 4 }, () => spawnGateway({ settings: inRedis, files }, atEnd)),
    );
    const callerOf = (n: number) => callers[n % callers.length] as (typeof callers)[number];
    const statuses = await askAtOnce(
      Array.from({ length: count }, (_, n) => ({
        url: `${gateways[(n >> 1) % gateways.length]?.url}/endpoints`,
        headers: callerOf(n).headers,
      })),
    );
    const figures = callers.flatMap((caller) =>
      toStatusFigures(
        caller.name,
        caller.limit,
        statuses.filter((_, n) => callerOf(n) === caller),
      ),
    );
    const gateway = await spawnGateway({ settings: { ...common, workers: 2 }, files }, atEnd);
    for (const { name, limit, headers } of callers) {
      const ask = () => ({ url: `${gateway.url}/endpoints`, headers });
      const replies = await askMany({ count: 4 * limit, abreast: 16, ask });
      figures.push(
        ...toStatusFigures(
          `${name} with two workers`,
          limit,
          replies.map(({ status }) => status),
        ),
      );
    }
    return figures;
  },
});

function toStatusFigures(name: string, limit: number, statuses: readonly number[]): Figure[] {
  const countOf = (wanted: number) => statuses.filter((status) => status === wanted).length;
  const [admitted, rejected] = [countOf(200), countOf(429)];
  const others = statuses.filter((status) => status !== 200 && status !== 429);
  return [
    toFigure({ name: `admitted ${name}`, unit: '', max: limit }, admitted),
    toFigure({ name: `below the limit ${name}`, unit: '', max: 0 }, limit - admitted),
    toFigure(
      { name: `neither admitted nor rejected ${name}`, unit: '', max: 0 },
      others.length,
      [...new Set(others)].join(),
    ),
    toFigure({ name: `rejected ${name}`, unit: '', min: limit }, rejected),
  ];
}
