import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { askMany } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { type SecuredOperation, securedOperations } from '../src/promises/secured-operations.ts';
import { startServers } from '../src/start-servers.ts';

type Shape = (good: string, other: string) => readonly string[];

/** Alternating header names and values. Some proxies join repeated headers with a comma. */
const shapes: readonly Shape[] = [
  (good) => ['X-API-Key', good, 'Authorization', `Bearer ${good}`],
  (good) => ['Authorization', `bearer ${good}`, 'x-api-key', good],
  (good, other) => ['X-API-Key', good, 'Authorization', `Bearer ${other}`],
  (good, other) => ['X-API-Key', other, 'Authorization', `Bearer ${good}`],
  (good) => ['X-API-Key', good, 'X-API-Key', good],
  (good, other) => ['X-API-Key', good, 'x-api-key', other],
  (good, other) => ['X-API-KEY', other, 'X-Api-Key', good],
  (good) => ['Authorization', `Bearer ${good}`, 'Authorization', `Bearer ${good}`],
  (good, other) => ['Authorization', `Bearer ${good}`, 'authorization', `Bearer ${other}`],
  (good, other) => ['Authorization', `Bearer ${other}`, 'AUTHORIZATION', `Bearer ${good}`],
  (good) => ['Authorization', `Bearer ${good}`, 'Authorization', 'Basic eDp5'],
  (good) => ['Authorization', 'Basic eDp5', 'Authorization', `Bearer ${good}`],
  (good) => ['X-API-Key', `${good}, ${good}`],
  (good, other) => ['X-API-Key', `${good},${other}`],
  (good) => ['Authorization', `Bearer ${good}, Bearer ${good}`],
  (good) => ['X-API-Key', '', 'X-API-Key', good],
  (good) => ['X-API-Key', good, 'X-API-Key', ''],
  (good) => ['X-API-Key', good, 'Authorization', 'Bearer'],
  (good) => ['X-API-Key', '', 'Authorization', `Bearer ${good}`],
];

export const promise = definePromise({
  number: 18,
  title: 'Duplicate or conflicting keys are rejected',
  done: 'Two keys, in one header or in both, valid with valid and valid with invalid, on every operation that requires a key',
  target: 'all 401',
  async run({ byScale, atEnd }) {
    const rounds = byScale({ ci: 1, full: 5 });
    const servers = await startServers();
    atEnd(servers.stop);
    const { urls, credentials } = servers;
    const figures: Figure[] = [];
    for (const { name, key } of [
      { name: 'gateway', key: credentials.GATEWAY_KEY },
      { name: 'staff-proxy', key: credentials.STAFF_PROXY_ADMIN_KEY },
    ] as const) {
      const url = urls[name];
      const host = new URL(url).host;
      const secured = await securedOperations(url);
      const cases = Array.from({ length: rounds }, () =>
        secured.flatMap((one) => shapes.map((shape) => ({ one, shape }))),
      );
      const all = cases.flat();
      const ask = (n: number) => {
        const { one, shape } = all[n] as (typeof all)[number];
        return { url: url + one.path, method: one.method, headers: ['Host', host, ...shape(key, 'another-key')] };
      };
      const replies = await askMany({ count: all.length, abreast: 20, ask });
      const passed = replies.flatMap(({ status }, n) => (status === 401 ? [] : [`${status} ${describe(all[n]?.one)}`]));
      const first = passed[0];
      figures.push(
        toFigure({ name: `not 401 at the ${name}`, unit: '', max: 0 }, passed.length, first),
        toFigure({ name: 'requests', unit: '', min: shapes.length * 3 * rounds }, all.length),
      );
    }
    return figures;
  },
});

function describe(one: SecuredOperation | undefined): string {
  return `${one?.method} ${one?.path}`;
}
