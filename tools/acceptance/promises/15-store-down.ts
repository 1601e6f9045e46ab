import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { RedisServer } from '../../../packages/access/test/start-redis.ts';
import { judge } from '../../benchmark/src/figure.ts';
import { type AtEnd, createEndings } from '../src/at-end.ts';
import { keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askMany } from '../src/promises/ask-many.ts';
import { askOnce, type Reply } from '../src/promises/ask-once.ts';
import { definePromise, NotRun } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-redis.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

/** So long may a decision take. */
const decisionMsMax = 50;
const policies = ['local', 'open', 'closed'] as const;
type Policy = (typeof policies)[number];

/** Whether Redis is there, as far as this server has said; between the two it may be either. */
type Phase = 'up' | 'unsure' | 'away';

interface Limited {
  readonly name: string;
  readonly policy: Policy;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  phase: Phase;
}

/** What all the callers have seen. */
interface Seen {
  asked: number;
  /** Judged: the server had the processor. */
  judged: number;
  slowestMs: number;
  falseRefusals: number;
  otherwise: number;
  slowest?: string;
  why?: string;
}

export const promise = definePromise({
  number: 15,
  title: 'Limiter store down: declared behaviour, fast',
  done: 'Redis is killed and frozen and comes back, while a gateway and a proxy of each rate_limit_on_store_failure are asked',
  excludes:
    'responses of a server that waited for the processor, by more than a tenth of 250 ms, in the half second before; a false 429 always counts',
  target: 'decision in 50 ms, never a false 429',
  isAlone: true,
  async run({ often, say, atEnd }) {
    const rounds = often({ ci: 1, full: 12 });
    const redis = await needRedis(atEnd);
    const seen: Seen = { asked: 0, judged: 0, slowestMs: 0, falseRefusals: 0, otherwise: 0 };
    for (const policy of policies) {
      await tryPolicy(policy, redis, rounds, seen);
      say(`${policy} done`);
    }
    const { asked, judged, slowestMs, slowest, falseRefusals, otherwise, why } = seen;
    say(`${judged} of ${asked} answers judged, the slowest after ${slowestMs.toFixed(1)} ms: ${slowest}`);
    // What was counted is final; how long a decision takes needs a machine on which servers run.
    if (falseRefusals + otherwise === 0 && judged < asked * often({ ci: 0.1, full: 0.5 }))
      throw new NotRun(`The machine is too busy to judge: ${judged} of ${asked} answers.`);
    return [
      judge({ name: 'slowest decision', unit: 'ms', max: decisionMsMax }, slowestMs, slowest),
      judge({ name: 'false 429', unit: '', max: 0 }, falseRefusals),
      judge({ name: 'other than declared', unit: '', max: 0 }, otherwise, why),
      judge({ name: 'outages', unit: '', min: 6 * rounds }, 2 * policies.length * rounds),
      judge({ name: 'requests', unit: '', min: 100 * rounds }, asked),
    ];
  },
});

/** Kills, starts, freezes and thaws Redis so often while two servers of this policy are asked. */
async function tryPolicy(policy: Policy, redis: RedisServer, rounds: number, seen: Seen): Promise<void> {
  const { atEnd, end } = createEndings();
  try {
    const servers = await startLimited(policy, redis.url, atEnd);
    // The first of all requests has much to load, and a login to wait for.
    for (const { url, headers } of servers) await askMany({ count: 50, abreast: 2, ask: () => ({ url, headers }) });
    let isEnding = false;
    const asking = servers.map((one) => keepJudging(one, seen, () => isEnding, atEnd));
    atEnd(async () => {
      isEnding = true;
      await Promise.all(asking);
    });
    const doubt = () => {
      for (const one of servers) one.phase = 'unsure';
    };
    await until('up', servers);
    for (let i = 0; i < rounds; i++) {
      const outages = [
        [redis.stop, redis.start],
        [redis.freeze, redis.thaw],
      ] as const;
      for (const [begin, finish] of outages) {
        doubt();
        await begin();
        await until('away', servers);
        doubt();
        await finish();
        await until('up', servers);
      }
    }
  } finally {
    await end();
  }
}

async function until(phase: Phase, servers: readonly Limited[]): Promise<void> {
  const wantedUp = phase === 'up';
  const reach = async (one: Limited) => {
    const isSaid = async () => (await isStoreUp(one.url)) === wantedUp;
    await pollUntil(isSaid, { withinMs: 20_000, everyMs: 20, describe: () => `${one.name} is not ${phase}` });
    one.phase = phase;
  };
  await Promise.all(servers.map(reach));
  await wait(200);
}

/** A caller who holds each answer against what the server declares. */
async function keepJudging(one: Limited, seen: Seen, isEnding: () => boolean, atEnd: AtEnd): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const server = watchStalls([one.pid], atEnd);
  const both = watchStalls([one.pid, process.pid], atEnd);
  while (!isEnding()) {
    const { phase } = one;
    const startedMs = performance.now();
    const reply = await askOnce(one.url, { agent, headers: one.headers });
    const tookMs = decisionMsMax + both.lateMs(startedMs + decisionMsMax);
    seen.asked++;
    if (reply.status === 429) seen.falseRefusals++;
    if (!server.isStarvedSince(startedMs - 500)) {
      seen.judged++;
      if (tookMs > seen.slowestMs) Object.assign(seen, { slowestMs: tookMs, slowest: `${one.name}, Redis ${phase}` });
      if (!isDeclared(one.policy, phase === one.phase ? phase : 'unsure', reply)) {
        seen.otherwise++;
        seen.why ??= `${one.name}, Redis ${phase}: ${reply.fault ?? reply.status}`;
      }
    }
    // No more than leaves the servers a processor: a decision is judged, not what they can bear.
    await wait(20);
  }
  agent.destroy();
}

/** A gateway and a proxy, which have far more left than they are asked for. */
async function startLimited(policy: Policy, redisUrl: string, atEnd: AtEnd): Promise<Limited[]> {
  const settings = {
    ...{ rate_limit_enabled: true, redis_url: redisUrl, rate_limit_on_store_failure: policy },
    ...{ rate_limit_per_minute: 1_000_000, rate_limit_per_minute_authenticated: 1_000_000 },
    log_sample_every: 1_000_000,
  };
  const [gateway, { proxy, stop }] = await Promise.all([
    spawnGateway({ settings }, atEnd),
    spawnFaultedProxy({ accounts: ['ann'], settings }, spawnProxy),
  ]);
  atEnd(stop);
  const common = { policy, phase: 'unsure' as Phase };
  return [
    {
      ...common,
      name: `gateway with ${policy}`,
      url: `${gateway.url}/endpoints`,
      headers: { 'X-API-Key': goodKey },
      pid: gateway.child.pid as number,
    },
    {
      ...common,
      name: `proxy with ${policy}`,
      url: `${proxy.url}/v2/staffmember/S-1`,
      headers: { 'X-API-Key': keyOf('ann') },
      pid: proxy.child.pid as number,
    },
  ];
}

function isDeclared(policy: Policy, phase: Phase, { status, headers }: Reply): boolean {
  const isCounted = status === 200 && headers.ratelimit !== undefined;
  const isRefused = status === 503 && Number(headers['retry-after']) > 0;
  if (phase === 'up' || policy === 'local') return isCounted;
  if (policy === 'open') return status === 200 && (phase === 'unsure' || !isCounted);
  return isRefused || (phase === 'unsure' && isCounted);
}

async function isStoreUp(url: string): Promise<boolean> {
  const { text } = await askOnce(new URL('/health/ready', url).href);
  return JSON.parse(text).dependencies.limits.status === 'ready';
}
