import { toFigure } from '../../benchmark/src/figure.ts';
import { askMany, countStatuses } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

const limit = 60;

/** One IPv4 address in every spelling that a trusted proxy can send. */
const spellingsOfIpv4 = [
  ...['198.51.100.7', '198.51.100.7:443', '"198.51.100.7:9"', '::ffff:198.51.100.7', '::FFFF:198.51.100.7'],
  ...['::ffff:c633:6407', '::ffff:C633:6407', '0:0:0:0:0:ffff:c633:6407', '0000:0000:0000:0000:0000:ffff:c633:6407'],
  ...['[::ffff:198.51.100.7]', '[::ffff:c633:6407]:443', '0:0:0:0:0:FFFF:198.51.100.7', '::0:ffff:198.51.100.7'],
];

/** Addresses of one /56, in every spelling. */
const spellingsOfIpv6 = [
  ...['2001:db8:1:aa00::1', '2001:DB8:1:AA00::1', '2001:0db8:0001:aa00:0000:0000:0000:0001', '[2001:db8:1:aa00::1]'],
  ...['[2001:db8:1:aa00::1]:443', '"[2001:db8:1:aaff::9]:1"', '2001:db8:1:aaff:ffff:ffff:ffff:ffff'],
  ...['2001:db8:1:aa7f::198.51.100.7', '2001:db8:1:aa01:0:0:0:0', '2001:db8:1:aa80::'],
];

export const promise = definePromise({
  number: 13,
  title: 'IPv6 is limited by prefix; mapped IPv4 equals IPv4',
  done: 'Every spelling of an address, and every network of a /56, sends requests through a trusted proxy; IPv4 clients use a dual-stack socket',
  target: 'one quota each',
  async run({ byScale, atEnd }) {
    const count = byScale({ ci: 500, full: 10_000 });
    const settings = { rate_limit_enabled: true, rate_limit_per_minute: limit, log_sample_every: 100_000 };
    const behind = { ...settings, trusted_proxies: ['127.0.0.0/8', '::1'] };
    let counted = 0;
    const admittedOf = async (url: string, addressOf: (n: number) => string | undefined) => {
      const ask = (n: number) => {
        const address = addressOf(n);
        return { url, headers: address === undefined ? {} : { 'X-Forwarded-For': address } };
      };
      const { 200: admitted = 0, 429: rejected = 0 } = countStatuses(await askMany({ count, abreast: 20, ask }));
      counted += admitted + rejected;
      return admitted;
    };
    const gateway = await spawnGateway({ settings: behind }, atEnd);
    const spelled = (spellings: readonly string[]) => (n: number) => spellings[n % spellings.length];
    const url = `${gateway.url}/endpoints`;
    const inOneNetwork = (n: number) =>
      `2001:db8:2:bb${(n % 256).toString(16).padStart(2, '0')}::${(n >> 8).toString(16)}`;
    const mapped = await admittedOf(url, spelled(spellingsOfIpv4));
    const prefixed = await admittedOf(url, spelled(spellingsOfIpv6));
    const network = await admittedOf(url, inOneNetwork);
    // Other networks have their own quota.
    const next = await admittedOf(url, () => '2001:db8:2:bc00::1');
    const dual = await spawnGateway({ settings: { ...settings, host: '::' } }, atEnd);
    const port = new URL(dual.url).port;
    const overBoth = await admittedOf(`http://127.0.0.1:${port}/endpoints`, () => undefined);
    return [
      toFigure(
        { name: 'off from one quota for IPv4 and its mapped spellings', unit: '', max: 0 },
        Math.abs(mapped - limit),
      ),
      toFigure({ name: 'for the spellings of addresses in one /56', unit: '', max: 0 }, Math.abs(prefixed - limit)),
      toFigure({ name: 'for all addresses of one /56', unit: '', max: 0 }, Math.abs(network - limit)),
      toFigure({ name: 'for the next /56', unit: '', max: 0 }, Math.abs(next - limit)),
      toFigure({ name: 'for IPv4 on a dual-stack socket', unit: '', max: 0 }, Math.abs(overBoth - limit)),
      toFigure({ name: 'requests admitted or rejected', unit: '', min: 5 * count }, counted),
    ];
  },
});
