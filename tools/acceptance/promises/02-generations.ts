import { join } from 'node:path';
import { renameOver } from '../../../apps/gateway/test/running/edit-styles.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce, type Reply } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { startHoldingUpstream } from '../src/promises/holding-upstream.ts';
import { countAppliedUpTo, endpointsText, fixedEndpoint, untilAnswer } from '../src/promises/live-edits.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

/** Endpoints in which every part that a slow request uses identifies its generation. */
const endpointsOf = (upstreamUrl: string, generation: number) => [
  fixedEndpoint(generation),
  {
    path: '/slow',
    service: 'http',
    requires_auth: true,
    rate_limit_per_minute: 10_000 + generation,
    upstream: {
      targets: [upstreamUrl],
      path: `/of/${generation}`,
      headers: { 'X-Generation': String(generation) },
      timeout_ms: 30_000,
    },
  },
];

export const promise = definePromise({
  number: 2,
  title: 'In-flight requests use the old configuration, new requests the new one',
  done: 'Slow requests wait at the upstream while a reload changes target path, headers and limits; more requests follow the reload',
  target: '0 mixed',
  async run({ byScale, say, atEnd }) {
    const reloads = byScale({ ci: 20, full: 200 });
    const abreast = 8;
    const upstream = await startHoldingUpstream(atEnd, ({ url, headers }) => ({
      path: Number(url?.split('/').at(-1)),
      header: Number(headers['x-generation']),
    }));
    const gateway = await spawnGateway(
      {
        settings: {
          rate_limit_enabled: true,
          rate_limit_per_minute: 1_000_000,
          rate_limit_per_minute_authenticated: 1_000_000,
          log_sample_every: 100_000,
        },
        endpoints: endpointsOf(upstream.url, 0),
      },
      atEnd,
    );
    const ask = () => askOnce(`${gateway.url}/slow`, { headers: { 'X-API-Key': goodKey } });
    const describe = () => `requests at the upstream:\n${gateway.output().slice(-2_000)}`;
    const askMany = async () => {
      const before = upstream.held();
      const replies = Array.from({ length: abreast }, ask);
      await pollUntil(() => upstream.held() === before + abreast, { withinMs: 20_000, everyMs: 5, describe });
      return replies;
    };
    const mixed: string[] = [];
    let seen = 0;
    const check = async (replies: readonly Promise<Reply>[], generation: number) => {
      for (const { status, headers, text } of await Promise.all(replies)) {
        seen++;
        const policy = String(headers['ratelimit-policy']);
        const isWhole = status === 200 && text === JSON.stringify({ path: generation, header: generation });
        if (!isWhole || !policy.includes(`q=${10_000 + generation};`)) {
          mixed.push(`generation ${generation}: ${status} ${text} ${policy}`);
        }
      }
    };
    for (let i = 1; i <= reloads; i++) {
      const old = await askMany();
      await renameOver(join(gateway.folder, 'endpoints.json'), endpointsText(endpointsOf(upstream.url, i)));
      await untilAnswer(gateway, i);
      const fresh = await askMany();
      upstream.release();
      await check(old, i - 1);
      await check(fresh, i);
      if (i % 50 === 0) say(`${i} reloads`);
    }
    return [
      toFigure({ name: 'responses of mixed generations', unit: '', max: 0 }, mixed.length, mixed[0]),
      toFigure({ name: 'requests across a reload', unit: '', min: 2 * abreast * reloads }, seen),
      toFigure({ name: 'reloads', unit: '', min: reloads }, await countAppliedUpTo(gateway, reloads)),
    ];
  },
});
