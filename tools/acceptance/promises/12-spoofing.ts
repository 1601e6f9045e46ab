import { randomBytes } from 'node:crypto';
import { judge } from '../../benchmark/src/figure.ts';
import { askMany, countStatuses } from '../src/promises/ask-many.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

const limit = 60;

/** Names of headers by which one or another proxy tells of a caller's address. */
const headerNames = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'];

export const promise = definePromise({
  number: 12,
  title: 'Spoofed X-Forwarded-For gains nothing',
  done: 'one caller claims a random address each time, where no proxy is trusted and before what a trusted one adds',
  target: '60 admitted',
  async run({ often, atEnd }) {
    const count = often({ ci: 3_000, full: 10_000 });
    const settings = { rate_limit_enabled: true, log_sample_every: 100_000 };
    const direct = await spawnGateway({ settings }, atEnd);
    const behind = await spawnGateway({ settings: { ...settings, trusted_proxies: ['127.0.0.1'] } }, atEnd);
    const admittedOf = async (url: string, headersOf: (n: number) => Record<string, string>) => {
      const ask = (n: number) => ({ url: `${url}/endpoints`, headers: headersOf(n) });
      return countStatuses(await askMany({ count, abreast: 40, ask }))[200] ?? 0;
    };
    const claimed = await admittedOf(direct.url, (n) => {
      const name = headerNames[n % headerNames.length] as string;
      return { [name]: name === 'Forwarded' ? `for="${randomAddress(n)}"` : randomAddress(n) };
    });
    // The caller's own list comes first; the proxy adds whom it has seen.
    const prepended = await admittedOf(behind.url, (n) => ({ 'X-Forwarded-For': `${randomAddress(n)}, 198.51.100.7` }));
    return [
      judge({ name: 'more or less than 60 admitted of who claims', unit: '', max: 0 }, Math.abs(claimed - limit)),
      judge({ name: 'of who claims before a proxy', unit: '', max: 0 }, Math.abs(prepended - limit)),
      judge({ name: 'random values', unit: '', min: 2 * count }, 2 * count),
    ];
  },
});

/** Of either family. */
function randomAddress(n: number): string {
  const bytes = [...randomBytes(8)];
  if (n % 3 !== 0) return bytes.slice(0, 4).join('.');
  const groups = bytes.map((byte) => (0x2000 | byte).toString(16));
  return n % 2 === 0 ? groups.join(':') : `[${groups.join(':')}]:443`;
}
