import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { RedisServer } from '../../../packages/access/test/start-redis.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { type AtEnd, createEndings } from '../src/at-end.ts';
import { keyOf, spawnFaultedProxy } from '../src/faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askMany, askOnce, type Reply } from '../src/promises/ask.ts';
import { definePromise, NotRun } from '../src/promises/define-promise.ts';
import { needRedis } from '../src/promises/need-services.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { spawnProxy } from '../src/spawn-proxy.ts';

/** How often a policy is tried on a busy machine. */
const attemptsMax = 3;
/** The deadline of a decision. */
const decisionMsMax = 50;
const policies = ['local', 'open', 'closed'] as const;
type Policy = (typeof policies)[number];

/** Whether Redis is available, as the server reports; `unsure` between the two. */
type Phase = 'up' | 'unsure' | 'away';

interface Limited {
  readonly name: string;
  readonly policy: Policy;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  phase: Phase;
}

/** The observations of all callers. */
interface Seen {
  asked: number;
  /** Responses of a server that had the CPU. */
  counted: number;
  slowestMs: number;
  falseRejects: number;
  undeclared: number;
  slowest?: string;
  why?: string;
}

export const promise = definePromise({
  number: 15,
  title: 'Limiter store down: declared behaviour, fast',
  done: 'Redis is killed and frozen and comes back, while clients use a gateway and a proxy for each value of rate_limit_on_store_failure',
  excludes:
    'time in which the server or the client waited for the CPU, responses of a server that did so for more than a tenth of 250 ms in the half second before, and responses other than declared while Redis did so; a false 429 always counts. A policy of which less than half of the responses count is tried again, up to twice',
  target: 'decision within 50 ms, never a false 429',
  runsAlone: 'always',
  async run({ byScale, say, atEnd }) {
    const rounds = byScale({ ci: 1, full: 12 });
    const redis = await needRedis(atEnd);
    const seen: Seen = { asked: 0, counted: 0, slowestMs: 0, falseRejects: 0, undeclared: 0 };
    const shareMin = byScale({ ci: 0.1, full: 0.5 });
    const busy: Policy[] = [];
    for (const policy of policies) {
      let share = 0;
      // The time of a decision needs a server that has the CPU.
      for (let attempt = 0; share < shareMin && attempt < attemptsMax; attempt++) {
        const { asked, counted } = seen;
        await tryPolicy(policy, redis, rounds, seen);
        share = (seen.counted - counted) / (seen.asked - asked);
        say(`${policy} done, ${Math.round(share * 100)}% of the responses counted`);
      }
      if (share < shareMin) busy.push(policy);
    }
    const { asked, counted, slowestMs, slowest, falseRejects, undeclared, why } = seen;
    say(`${counted} of ${asked} responses counted, the slowest after ${slowestMs.toFixed(1)} ms: ${slowest}`);
    // Wrong responses are final.
    if (falseRejects + undeclared === 0 && busy.length > 0)
      throw new NotRun(`The machine is too busy: only ${counted} of ${asked} responses count, few with ${busy}.`);
    return [
      toFigure({ name: 'slowest decision', unit: 'ms', max: decisionMsMax }, slowestMs, slowest),
      toFigure({ name: 'false 429', unit: '', max: 0 }, falseRejects),
      toFigure({ name: 'responses other than declared', unit: '', max: 0 }, undeclared, why),
      toFigure({ name: 'outages', unit: '', min: 6 * rounds }, 2 * policies.length * rounds),
      toFigure({ name: 'requests', unit: '', min: 100 * rounds }, asked),
    ];
  },
});

/** Kills, starts, freezes and thaws Redis while two servers with this policy receive requests. */
async function tryPolicy(policy: Policy, redis: RedisServer, rounds: number, seen: Seen): Promise<void> {
  const { atEnd, end } = createEndings();
  try {
    const servers = await startLimited(policy, redis.url, atEnd);
    // The first requests load code and wait for a login.
    for (const { url, headers } of servers) await askMany({ count: 50, abreast: 2, ask: () => ({ url, headers }) });
    let isEnding = false;
    let redisStalls = watchStalls([redis.pid()], atEnd);
    const wasRedisStarved = async ({ url, name }: Limited, sinceMs: number) => {
      // The system reports a wait once it is over.
      const describe = () => `${name} does not find Redis`;
      await pollUntil(() => isStoreUp(url), { withinMs: 20_000, everyMs: 20, describe });
      return redisStalls.isStarvedSince(sinceMs);
    };
    const options = { isEnding: () => isEnding, wasRedisStarved, atEnd };
    const asking = servers.map((one) => checkResponses(one, seen, options));
    atEnd(async () => {
      isEnding = true;
      await Promise.all(asking);
    });
    const markUnsure = () => {
      for (const one of servers) one.phase = 'unsure';
    };
    await until('up', servers);
    for (let i = 0; i < rounds; i++) {
      const outages = [
        [redis.stop, redis.start],
        [redis.freeze, redis.thaw],
      ] as const;
      for (const [begin, finish] of outages) {
        markUnsure();
        await begin();
        await until('away', servers);
        markUnsure();
        await finish();
        if (finish === redis.start) redisStalls = watchStalls([redis.pid()], atEnd);
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
    const isReported = async () => (await isStoreUp(one.url)) === wantedUp;
    await pollUntil(isReported, { withinMs: 20_000, everyMs: 20, describe: () => `${one.name} is not ${phase}` });
    one.phase = phase;
  };
  await Promise.all(servers.map(reach));
  await wait(200);
}

interface CheckOptions {
  readonly isEnding: () => boolean;
  /** Whether Redis waited for the CPU since then. */
  readonly wasRedisStarved: (one: Limited, sinceMs: number) => Promise<boolean>;
  readonly atEnd: AtEnd;
}

/** Sends requests and checks that each response is declared for the policy. */
async function checkResponses(
  one: Limited,
  seen: Seen,
  { isEnding, wasRedisStarved, atEnd }: CheckOptions,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const server = watchStalls([one.pid], atEnd);
  const both = watchStalls([one.pid, process.pid], atEnd);
  while (!isEnding()) {
    const { phase } = one;
    const startedMs = performance.now();
    const reply = await askOnce(one.url, { agent, headers: one.headers });
    const tookMs = both.lateMs(startedMs);
    seen.asked++;
    if (reply.status === 429) seen.falseRejects++;
    if (!server.isStarvedSince(startedMs - 500)) {
      seen.counted++;
      if (tookMs > seen.slowestMs) Object.assign(seen, { slowestMs: tookMs, slowest: `${one.name}, Redis ${phase}` });
      const isRight = isDeclared(one.policy, phase === one.phase ? phase : 'unsure', reply);
      if (!isRight && !(await wasRedisStarved(one, startedMs - 500))) {
        seen.undeclared++;
        seen.why ??= `${one.name}, Redis ${phase}: ${reply.fault ?? reply.status}`;
      }
    }
    // Leaves the servers CPU: the trial measures decisions, not throughput.
    await wait(20);
  }
  agent.destroy();
}

/** Starts a gateway and a proxy with limits far above the load. */
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
  const isRejected = status === 503 && Number(headers['retry-after']) > 0;
  if (phase === 'up' || policy === 'local') return isCounted;
  if (policy === 'open') return status === 200 && (phase === 'unsure' || !isCounted);
  return isRejected || (phase === 'unsure' && isCounted);
}

async function isStoreUp(url: string): Promise<boolean> {
  const { text } = await askOnce(new URL('/health/ready', url).href);
  return JSON.parse(text).dependencies.limits.status === 'ready';
}
