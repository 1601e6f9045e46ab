import type { Random } from '../../../apps/scheduling/src/demo/random.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { askMany, countStatuses } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

const limit = 60;

/** Other headers in which proxies report the address of a client. */
const otherNames = ['Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'];

export const promise = definePromise({
  number: 12,
  title: 'Spoofed X-Forwarded-For gains nothing',
  done: 'One client sends a random address with each request, in X-Forwarded-For and in similar headers, without a trusted proxy and in front of one',
  target: '60 admitted',
  async run({ byScale, random, atEnd }) {
    const count = byScale({ ci: 3_000, full: 10_000 });
    const settings = { rate_limit_enabled: true, log_sample_every: 100_000 };
    const admittedOf = async (trusted: object, headersOf: () => Record<string, string>) => {
      const { url } = await spawnGateway({ settings: { ...settings, ...trusted } }, atEnd);
      const ask = () => ({ url: `${url}/endpoints`, headers: headersOf() });
      return countStatuses(await askMany({ count, abreast: 40, ask }))[200] ?? 0;
    };
    const claimed = await admittedOf({}, () => ({ 'X-Forwarded-For': randomAddress(random) }));
    const claimedOtherwise = await admittedOf({}, () => {
      const name = random.pick(otherNames);
      const address = randomAddress(random);
      return { [name]: name === 'Forwarded' ? `for="${address}"` : address };
    });
    // The client's own list comes first; the proxy appends the address that it sees.
    const prepended = await admittedOf({ trusted_proxies: ['127.0.0.1'] }, () => {
      const own = Array.from({ length: random.integer(1, 3) }, () => randomAddress(random));
      return { 'X-Forwarded-For': [...own, '198.51.100.7'].join(', ') };
    });
    return [
      toFigure(
        { name: 'off from 60 admitted with spoofed X-Forwarded-For', unit: '', max: 0 },
        Math.abs(claimed - limit),
      ),
      toFigure(
        { name: 'off from 60 admitted with another spoofed header', unit: '', max: 0 },
        Math.abs(claimedOtherwise - limit),
      ),
      toFigure(
        { name: 'off from 60 admitted with a spoofed list before a trusted proxy', unit: '', max: 0 },
        Math.abs(prepended - limit),
      ),
      toFigure({ name: 'random values', unit: '', min: 3 * count }, 3 * count),
    ];
  },
});

/** Returns an address of either family, with or without a port. */
function randomAddress(random: Random): string {
  const ipv4 = Array.from({ length: 4 }, () => random.integer(0, 255)).join('.');
  const ipv6 = ['2001', ...Array.from({ length: 7 }, () => random.integer(0, 0xffff).toString(16))].join(':');
  return random.pick([ipv4, `${ipv4}:${random.integer(1, 65_535)}`, ipv6, `[${ipv6}]:443`, `::ffff:${ipv4}`]);
}
