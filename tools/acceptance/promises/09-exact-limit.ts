import { createHash } from 'node:crypto';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { createEndings } from '../src/at-end.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askMany } from '../src/promises/ask.ts';
import { askAtOnce } from '../src/promises/ask-at-once.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-services.ts';
import { goodKey, type SpawnedGateway, spawnGateway } from '../src/spawn-gateway.ts';

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

/** How often the gateways start again because Redis was late. */
const attemptsMax = 5;

export const promise = definePromise({
  number: 9,
  title: 'The limit is exact across processes',
  done: 'Four gateways count in one Redis while 10,000 requests arrive at once, on as many open connections, with and without a key, and with a plan of three windows; two workers of one gateway count together under 16 connections',
  excludes:
    'attempts in which Redis was late by the log of a gateway, which then rejects requests with 503: the trial starts again, up to four times',
  target: 'exactly 60, 300 and 200 admitted',
  // On a busy machine Redis is late, and requests are rejected with 503.
  runsAlone: 'always',
  async run({ byScale, atEnd, say }) {
    const statuses = await askFourGateways(byScale({ ci: 4_000, full: 10_000 }), say);
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

const callerOf = (n: number) => callers[n % callers.length] as (typeof callers)[number];

/** Sends requests at once to four gateways with one Redis; starts again when Redis was late. Returns the statuses. */
async function askFourGateways(count: number, say: (text: string) => void): Promise<number[]> {
  for (let attempt = 1; ; attempt++) {
    const { atEnd, end } = createEndings();
    try {
      const redis = await needRedis(atEnd);
      // `closed`: no gateway counts alone, so Redis admits every request.
      const settings = {
        ...{ ...common, redis_url: redis.url, rate_limit_on_store_failure: 'closed' },
        // Connections stay open while more are opened.
        ...{ headers_timeout_ms: 60_000, request_timeout_ms: 60_000 },
      };
      const gateways = await Promise.all(Array.from({ length: 4 }, () => spawnGateway({ settings, files }, atEnd)));
      const statuses = await askAtOnce(
        Array.from({ length: count }, (_, n) => ({
          url: `${gateways[(n >> 1) % gateways.length]?.url}/endpoints`,
          headers: callerOf(n).headers,
        })),
      );
      if (attempt === attemptsMax || !statuses.includes(503) || !(await wasRedisLate(gateways))) return statuses;
      say(`Redis was late in attempt ${attempt}`);
    } finally {
      await end();
    }
  }
}

/** Whether a gateway has logged that Redis is unavailable; log lines arrive after responses. */
function wasRedisLate(gateways: readonly SpawnedGateway[]): Promise<boolean> {
  const isLogged = () => gateways.some(({ log }) => log.some(({ msg }) => msg === 'limits are not counted in redis'));
  return pollUntil(isLogged, { withinMs: 10_000, describe: () => '' }).then(
    () => true,
    () => false,
  );
}

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
