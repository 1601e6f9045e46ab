import { createHash, randomBytes } from 'node:crypto';

/** The response of every server, created for each request like that of a computing service. */
export const price = { symbol: 'ETH', price_usd: 3012.5, days: 5, source: 'live' };

/** The service of the gateway: validates two arguments and converts one from text to a number. */
export const priceService = `import { defineService, z } from 'rostergate';

export default defineService({
  name: 'price',
  summary: 'Price of a coin',
  parameters: z.object({
    symbol: z.string().min(1).max(32).meta({ description: 'Of the coin.' }),
    days: z.int().min(1).max(365).default(1).meta({ description: 'How far back.' }),
  }),
  response: z.object({ symbol: z.string(), price_usd: z.number(), days: z.int(), source: z.string() }),
  handle: ({ symbol, days }) => ({ symbol, price_usd: ${price.price_usd}, days, source: '${price.source}' }),
});
`;

const pathOf = (n: number) => `/api/price${n}`;

/** Returns a valid request to the middle one of `count` endpoints. */
export const middleOf = (count: number) => `${pathOf(count >> 1)}?symbol=${price.symbol}&days=${price.days}`;

export function createPriceEndpoints(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ path: pathOf(n), service: 'price', requires_auth: true }));
}

/** Enough owners that none reaches the highest possible limit within a minute. */
const owners = 16;

export interface Callers {
  /** The entries of keys.json. */
  readonly keys: readonly object[];
  readonly digests: readonly string[];
  readonly headers: readonly Readonly<Record<string, string>>[];
}

/** Creates callers with new keys. */
export function createCallers(): Callers {
  const secrets = Array.from({ length: owners }, () => randomBytes(24).toString('hex'));
  const digests = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  return {
    keys: digests.map((sha256, n) => ({ name: `load-${n}`, owner: `load-${n}`, sha256 })),
    digests,
    headers: secrets.map((secret) => ({ 'X-API-Key': secret })),
  };
}

/** The defaults, with a limit above the load and one log line in a hundred. */
export const priceSettings = {
  log_level: 'info',
  log_sample_every: 100,
  rate_limit_per_minute_authenticated: 1_000_000,
  reload_enabled: false,
};

/**
 * Returns `count` endpoints of the kinds that a configuration has: with and without path and query parameters, and with
 * and without a body.
 */
export function createEndpoints(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    summary: `Endpoint ${i}`,
    tags: [`Team ${i % 40}`],
    ...kindOf(i),
  }));
}

function kindOf(i: number): object {
  switch (i % 4) {
    case 0:
      return { path: `/api/team${i % 40}/price${i}`, service: 'crypto' };
    case 1:
      return { path: `/api/team${i % 40}/coins${i}/{symbol}`, service: 'crypto', requires_auth: i % 8 === 1 };
    case 2:
      return {
        path: `/api/team${i % 40}/fixed${i}`,
        service: 'static',
        parameters: { answer: { id: i, name: 'fixed' } },
      };
    default:
      return { path: `/api/team${i % 40}/echo${i}`, method: 'POST', service: 'echo' };
  }
}

/** Returns the path of an endpoint that responds 200 to a plain GET: the middle one, or the n-th modulo `count`. */
export function callablePath(count: number, n = count >> 1): string {
  const i = (n * 4 + 2) % count;
  const callable = i - (i % 4) + 2 < count ? i - (i % 4) + 2 : 2;
  return `/api/team${callable % 40}/fixed${callable}`;
}
