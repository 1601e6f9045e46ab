import { type Figure, judge } from '../../benchmark/src/figure.ts';
import { askAtOnce } from '../src/promises/ask-at-once.ts';
import { askMany } from '../src/promises/ask-many.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-redis.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

const callers = [
  { name: 'without a key', limit: 60, headers: {} },
  { name: 'with a key', limit: 300, headers: { 'X-API-Key': goodKey } },
];
const common = { rate_limit_enabled: true, log_sample_every: 100_000 };

export const promise = definePromise({
  number: 9,
  title: 'The limit is exact across processes',
  done: 'four gateways count in one Redis, and 10,000 requests on as many open connections come at once over all of them, without and with a key; two workers of one gateway count together while 16 connections go on asking',
  target: 'exactly 60 and 300 admitted',
  // A Redis that is late because the machine is busy refuses with 503.
  isAlone: true,
  async run({ often, atEnd }) {
    const count = often({ ci: 4_000, full: 10_000 });
    const redis = await needRedis(atEnd);
    // Nobody counts alone: what Redis has not admitted is not admitted.
    const inRedis = {
      ...{ ...common, redis_url: redis.url, rate_limit_on_store_failure: 'closed' },
      // For those who are open already while others are being opened.
      ...{ headers_timeout_ms: 60_000, request_timeout_ms: 60_000 },
    };
    const gateways = await Promise.all(Array.from({ length: 4 }, () => spawnGateway({ settings: inRedis }, atEnd)));
    const callerOf = (n: number) => callers[n % callers.length] as (typeof callers)[number];
    const statuses = await askAtOnce(
      Array.from({ length: count }, (_, n) => ({
        url: `${gateways[(n >> 1) % gateways.length]?.url}/endpoints`,
        headers: callerOf(n).headers,
      })),
    );
    const figures = callers.flatMap((caller) =>
      judgeStatuses(
        caller.name,
        caller.limit,
        statuses.filter((_, n) => callerOf(n) === caller),
      ),
    );
    const gateway = await spawnGateway({ settings: { ...common, workers: 2 } }, atEnd);
    for (const { name, limit, headers } of callers) {
      const ask = () => ({ url: `${gateway.url}/endpoints`, headers });
      const replies = await askMany({ count: 4 * limit, abreast: 16, ask });
      figures.push(
        ...judgeStatuses(
          `${name} over workers`,
          limit,
          replies.map(({ status }) => status),
        ),
      );
    }
    return figures;
  },
});

function judgeStatuses(name: string, limit: number, statuses: readonly number[]): Figure[] {
  const countOf = (wanted: number) => statuses.filter((status) => status === wanted).length;
  const [admitted, refused] = [countOf(200), countOf(429)];
  const others = statuses.filter((status) => status !== 200 && status !== 429);
  return [
    judge({ name: `admitted ${name}`, unit: '', max: limit }, admitted),
    judge({ name: `fewer than its limit ${name}`, unit: '', max: 0 }, limit - admitted),
    judge(
      { name: `neither admitted nor refused ${name}`, unit: '', max: 0 },
      others.length,
      [...new Set(others)].join(),
    ),
    judge({ name: `refused ${name}`, unit: '', min: limit }, refused),
  ];
}
