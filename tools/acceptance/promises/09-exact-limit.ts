import { type Figure, judge } from '../../benchmark/src/figure.ts';
import { askMany, countStatuses } from '../src/promises/ask-many.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-redis.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

const callers = [
  { name: 'without a key', limit: 60, headers: {} },
  { name: 'with a key', limit: 300, headers: { 'X-API-Key': goodKey } },
];

export const promise = definePromise({
  number: 9,
  title: 'The limit is exact across processes',
  done: 'four gateways count in one Redis, and 10,000 requests come at once over all of them, without and with a key',
  target: 'exactly 60 and 300 admitted',
  async run({ often, atEnd }) {
    const count = often({ ci: 4_000, full: 10_000 });
    const redis = await needRedis(atEnd);
    const settings = { rate_limit_enabled: true, redis_url: redis.url, log_sample_every: 100_000 };
    const gateways = await Promise.all(Array.from({ length: 4 }, () => spawnGateway({ settings }, atEnd)));
    const asked = await Promise.all(
      callers.map(async ({ name, limit, headers }): Promise<Figure[]> => {
        const ask = (n: number) => ({ url: `${gateways[n % gateways.length]?.url}/endpoints`, headers });
        const { 200: admitted = 0, 429: refused = 0 } = countStatuses(
          await askMany({ count: count / 2, abreast: 500, ask }),
        );
        return [
          judge({ name: `admitted ${name}`, unit: '', max: limit }, admitted),
          judge({ name: `fewer than its limit ${name}`, unit: '', max: 0 }, limit - admitted),
          judge({ name: `neither admitted nor refused ${name}`, unit: '', max: 0 }, count / 2 - admitted - refused),
        ];
      }),
    );
    return [...asked.flat(), judge({ name: 'requests', unit: '', min: count }, count)];
  },
});
