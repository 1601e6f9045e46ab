import { join } from 'node:path';
import { keyDigest } from '@rostergate/access/keys';
import { renameOver } from '../../../../apps/gateway/test/running/edit-styles.ts';
import type { RedisServer } from '../../../../packages/access/test/start-redis.ts';
import type { AtEnd } from '../at-end.ts';
import { pollUntil } from '../poll-until.ts';
import { askOnce } from '../promises/ask.ts';
import { fixedEndpoint } from '../promises/live-edits.ts';
import { needRedis } from '../promises/need-services.ts';
import { startTokenIssuer, type TokenIssuer } from '../promises/token-issuer.ts';
import { livingWorkers } from '../promises/worker-lines.ts';
import type { LogLine } from '../server-process.ts';
import { type SpawnedGateway, spawnGateway, spawnGatewayIn } from '../spawn-gateway.ts';
import { type Origin, startOrigin } from './origin.ts';

export const gatewayCount = 2;
export const workersOfEach = 2;
export const intervalMs = 1_000;
/** The longest body that is accepted. */
export const largeBytes = 100_000;

/** Two gateways of two workers with one Redis and one upstream, on which all scenarios of a run work. */
export interface Subject {
  readonly origin: Origin;
  readonly redis: RedisServer;
  readonly issuer: TokenIssuer;
  url(gateway: number): string;
  /** The process ids of the running workers, the oldest first. */
  workers(gateway: number): readonly number[];
  /** All processes of the gateways. */
  processes(): readonly number[];
  /** The generation that was written last. */
  generation(gateway: number): number;
  /** Writes endpoints.json with the next generation. */
  edit(gateway: number): Promise<void>;
  /** Writes any text as endpoints.json. */
  writeEndpoints(gateway: number, text: string): Promise<void>;
  /** Writes the next version of the service `own` at a gateway. */
  editService(gateway: number): Promise<void>;
  /** Writes the plan of limited requests at both gateways. */
  setLimit(requests: number): Promise<void>;
  /** Writes the valid and the revoked keys at both gateways, beside the key that is always valid. */
  writeKeys(valid: readonly string[], revoked: readonly string[]): Promise<void>;
  /** Stops a gateway by SIGTERM and starts it again with the same files. */
  restart(gateway: number): Promise<number | null>;
  /** Resolves when all workers serve the newest files. */
  settle(): Promise<void>;
  /** The times of `performance.now()` in which a process counted by itself, by the logs. */
  timesWithoutStore(): { readonly fromMs: number; readonly toMs: number }[];
  output(): string;
}

/** The key that no scenario revokes, and no plan limits. */
export const lastingKey = 'lasting-key-of-the-scenarios';

export async function startSubject(atEnd: AtEnd): Promise<Subject> {
  const origin = await startOrigin(atEnd);
  const redis = await needRedis(atEnd);
  const issuer = await startTokenIssuer(atEnd);
  let serviceVersion = 0;
  const generations = Array.from({ length: gatewayCount }, () => 0);
  const gateways: SpawnedGateway[] = [];
  let limit = 10;
  const settings = () => ({
    workers: workersOfEach,
    log_sample_every: 1_000_000,
    redis_url: redis.url,
    rate_limit_enabled: true,
    rate_limit_per_minute: 1_000_000,
    rate_limit_per_minute_authenticated: 1_000_000,
    drain_ms: 10_000,
    body_bytes_max: largeBytes,
    service_timeout_ms: 1_000,
    jwt_issuers: [{ ...issuer.settings, keys_refresh_seconds: 30 }],
    plans: { few: { limits: [{ requests: limit, per: 'second' }] } },
  });
  const keys = (valid: readonly string[], revoked: readonly string[]) => ({
    keys: [
      { name: 'limited', owner: 'limited', sha256: keyDigest(limitedKey), plan: 'few' },
      { name: 'lasting', owner: 'lasting', sha256: keyDigest(lastingKey) },
      ...valid.map((key) => ({ name: key, owner: 'going', sha256: keyDigest(key) })),
      ...revoked.map((key) => ({
        ...{ name: key, owner: 'going', sha256: keyDigest(key), revoked_at: '2026-01-01T00:00:00Z' },
      })),
    ],
  });
  const gatewayOf = (gateway: number) => gateways[gateway] as SpawnedGateway;
  const put = (gateway: number, file: string, value: object | string) =>
    renameOver(join(gatewayOf(gateway).folder, file), typeof value === 'string' ? value : JSON.stringify(value));
  const everywhere = (write: (gateway: number) => Promise<void>) => Promise.all(gateways.map((_, i) => write(i)));
  for (let i = 0; i < gatewayCount; i++) {
    const files = {
      'keys.json': JSON.stringify(keys([], [])),
      'services/own.ts': serviceText(serviceVersion),
      'services/seal.ts': policyText,
    };
    const endpoints = endpointsOf(origin.url, 0);
    gateways.push(await spawnGateway({ settings: settings(), endpoints, policies, files }, atEnd));
  }
  const isServed = async (gateway: number) => {
    const { text, status } = await askOnce(`${gatewayOf(gateway).url}/health/ready`);
    const { text: generation } = await askOnce(`${gatewayOf(gateway).url}/answer`);
    return (
      status === 200 &&
      JSON.parse(text).dependencies.workers.serving === workersOfEach &&
      JSON.parse(text).dependencies.configuration.status === 'ready' &&
      Number(generation) === generations[gateway]
    );
  };
  const edit: Subject['edit'] = async (gateway) => {
    const next = (generations[gateway] as number) + 1;
    generations[gateway] = next;
    await put(gateway, 'endpoints.json', textOf(endpointsOf(origin.url, next)));
  };
  return {
    origin,
    redis,
    issuer,
    url: (gateway) => gatewayOf(gateway).url,
    workers: (gateway) => livingWorkers(gatewayOf(gateway)),
    processes: () => gateways.flatMap((gateway) => [gateway.child.pid as number, ...livingWorkers(gateway)]),
    generation: (gateway) => generations[gateway] as number,
    edit,
    writeEndpoints: (gateway, text) => put(gateway, 'endpoints.json', text),
    editService: (gateway) => put(gateway, 'services/own.ts', serviceText(++serviceVersion)),
    async setLimit(requests) {
      limit = requests;
      await everywhere((gateway) => put(gateway, 'settings.json', { api_keys: '', ...settings() }));
    },
    async writeKeys(valid, revoked) {
      await everywhere((gateway) => put(gateway, 'keys.json', keys(valid, revoked)));
    },
    async restart(gateway) {
      const old = gatewayOf(gateway);
      const code = await old.stop();
      gateways[gateway] = await spawnGatewayIn(old.folder, {}, atEnd);
      return code;
    },
    async settle() {
      for (let i = 0; i < gatewayCount; i++) {
        const describe = () => `gateway ${i} does not serve generation ${generations[i]}:\n${gatewayOf(i).output()}`;
        await pollUntil(() => isServed(i), { withinMs: 30_000, everyMs: 50, describe });
      }
    },
    timesWithoutStore: () =>
      gateways.flatMap(({ log }) => {
        const lines = log.filter(({ msg }) => msg?.includes('counted in redis') === true);
        const atMs = ({ time }: LogLine) => new Date(time as string | number).getTime() - performance.timeOrigin;
        return lines.flatMap((line, n) => {
          if (line.msg !== 'limits are not counted in redis') return [];
          const end = lines.slice(n).find(({ pid, msg }) => pid === line.pid && msg?.endsWith('again') === true);
          return [{ fromMs: atMs(line), toMs: end === undefined ? Number.POSITIVE_INFINITY : atMs(end) }];
        });
      }),
    output: () => gateways.map((gateway, i) => `Gateway ${i}:\n${gateway.output()}`).join('\n'),
  };
}

/** The key of the requests that the plan limits. */
export const limitedKey = 'limited-key-of-the-scenarios';

/** Repeats the id; fails as asked. */
const serviceText = (version: number) => `import { defineService, z } from 'rostergate';

export default defineService({
  name: 'own',
  summary: 'Own',
  parameters: z.object({ id: z.string(), fails: z.enum(['throws', 'hangs']).optional() }),
  response: z.object({ id: z.string(), version: z.number() }),
  async handle({ id, fails }) {
    if (fails === 'throws') throw new Error('as asked');
    if (fails === 'hangs') await new Promise(() => {});
    return { id, version: ${version} };
  },
});
`;

/** Marks each response. */
const policyText = `import { definePolicy, z } from 'rostergate';

export default definePolicy({
  options: z.object({}),
  after(reply) {
    return { ...reply, headers: { ...reply.headers, 'X-Seal': 'sealed' } };
  },
});
`;

const policies = { sealed: { type: 'code', module: 'seal.ts', options: {} } };
const textOf = (endpoints: readonly object[]) => JSON.stringify({ endpoints, policies }, null, 2);

function endpointsOf(url: string, generation: number): object[] {
  const upstream = (more: object = {}) => ({ targets: [url], timeout_ms: 2_000, ...more });
  const item = { path: '/items/{name}', service: 'http', upstream: upstream({ path: '/items/{name}' }) };
  return [
    fixedEndpoint(generation),
    { ...fixedEndpoint('open', '/private'), requires_auth: true },
    { ...fixedEndpoint('counted', '/limited'), requires_auth: true },
    { ...item, cache_seconds: 60 },
    { ...item, method: 'PUT' },
    { path: '/forward/{id}', service: 'http', upstream: upstream({ path: '/forward/{id}' }) },
    { path: '/large', method: 'POST', service: 'http', upstream: upstream() },
    { path: '/own/{id}', service: 'own', policies: ['sealed'] },
    { ...fixedEndpoint('open', '/token'), auth: ['jwt:corp'] },
    { path: '/events', service: 'http', requires_auth: true, upstream: { targets: [url], stream_idle_ms: 0 } },
    { path: '/live', service: 'http', requires_auth: true, upstream: { targets: [url], websocket: {} } },
  ];
}
