import type { Random } from '../../../apps/scheduling/src/demo/random.ts';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { askMany, countStatuses } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { startServers } from '../src/start-servers.ts';

const limits = {
  ROSTERGATE_RATE_LIMIT_PER_MINUTE: '60',
  ROSTERGATE_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '300',
  ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE: '60',
  ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '300',
};

export const promise = definePromise({
  number: 16,
  title: 'An invalid key gets no higher limit',
  done: 'One address sends a random key with each request, in both headers, well-formed or not; then a client with a valid key follows',
  target: '60 a minute',
  async run({ byScale, random, atEnd }) {
    const count = byScale({ ci: 2_000, full: 10_000 });
    const servers = await startServers(limits);
    atEnd(servers.stop);
    const { urls, credentials } = servers;
    const figures: Figure[] = [];
    for (const { name, path, prefix, key } of [
      { name: 'gateway', path: '/auth/status', prefix: 'gateway', key: credentials.GATEWAY_KEY },
      { name: 'staff-proxy', path: '/v2/staffmember/x', prefix: 'staff', key: credentials.STAFF_PROXY_KEY },
    ] as const) {
      const url = urls[name] + path;
      const replies = await askMany({
        count,
        abreast: 40,
        ask: (n) => ({ url, headers: randomKey(n, prefix, random) }),
      });
      const { 401: unauthorized = 0, 429: limited = 0 } = countStatuses(replies);
      const good = await askMany({ count: 301, abreast: 20, ask: () => ({ url, headers: { 'X-API-Key': key } }) });
      const { 429: limitedGood = 0 } = countStatuses(good);
      figures.push(
        toFigure({ name: `keys checked at the ${name}`, unit: '', max: 60 }, unauthorized),
        toFigure({ name: `below 60 at the ${name}`, unit: '', max: 0 }, 60 - unauthorized),
        toFigure(
          { name: `responses other than 401 and 429 at the ${name}`, unit: '', max: 0 },
          count - unauthorized - limited,
        ),
        toFigure(
          { name: `taken from the quota of a valid key at the ${name}`, unit: '', max: 0 },
          Math.abs(limitedGood - 1),
        ),
      );
    }
    return figures;
  },
});

function randomKey(n: number, prefix: string, random: Random): Record<string, string> {
  const text = random.guid().replaceAll('-', '');
  const key = n % 3 === 0 ? `${prefix}_live_${text}_${text.slice(0, 8)}` : text;
  return n % 2 === 0 ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}` };
}
