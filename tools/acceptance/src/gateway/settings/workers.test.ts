import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createEndings } from '../../at-end.ts';
import { type GatewayProcess, goodKey, makeGatewayFolder, runCommand, startGateway } from '../../gateway-process.ts';
import { leastMs } from '../../least-ms.ts';
import { pollUntil } from '../../poll-until.ts';
import { livingWorkers, workersServed } from '../../promises/worker-lines.ts';
import { withPunctualWorkers } from '../../punctual-workers.ts';
import { spawnServer } from '../../server-process.ts';
import { serverPrograms } from '../../server-programs.ts';
import { startListener } from '../../start-listener.ts';

const fixed = { path: '/api/fixed', service: 'static', parameters: { answer: 'first' } };
const headers = { 'X-API-Key': goodKey, Connection: 'close' };

/** Sends that many requests on separate connections, so that every worker gets some. */
async function responsesOf(url: string, count: number): Promise<Response[]> {
  return Promise.all(Array.from({ length: count }, () => fetch(url, { headers })));
}

test('setting workers: workers behind one port share limits, metrics and edits', async () => {
  const start = () =>
    startGateway({
      settings: { workers: 3, rate_limit_enabled: true, rate_limit_per_minute_authenticated: 400 },
      endpoints: [fixed],
    });
  await withPunctualWorkers(start, async (gateway) => {
    expect(new Set(workersServed(gateway)).size).toBe(3);
    const responses: Response[] = [];
    for (let wave = 0; wave < 6; wave++) responses.push(...(await responsesOf(`${gateway.url}/api/fixed`, 80)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(400);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(80);

    // The metrics leave out a worker that does not reply in time.
    const metrics = async () =>
      (await fetch(`${gateway.url}/metrics`, { headers: { Accept: 'application/json' } })).json();
    await expect.poll(metrics).toMatchObject({
      endpoints: { 'GET /api/fixed': { count: 480, status_codes: { 200: 400, 429: 80 } } },
    });

    const settings = { workers: 3, api_keys: goodKey, rate_limit_enabled: false };
    await gateway.write('settings.json', settings);
    await gateway.logged(({ msg }) => msg === 'configuration applied');
    await gateway.write('endpoints.json', { endpoints: [{ ...fixed, parameters: { answer: 'second' } }] });
    await pollUntil(() => gateway.log.filter(({ msg }) => msg === 'configuration applied').length === 2, {
      withinMs: 10_000,
      describe: gateway.output,
    });
    const bodies = await Promise.all((await responsesOf(`${gateway.url}/api/fixed`, 30)).map((reply) => reply.json()));
    expect(new Set(bodies)).toEqual(new Set(['second']));

    await gateway.write('endpoints.json', '{ "endpoints": [ { ');
    await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
    for (const reply of await responsesOf(`${gateway.url}/health/ready`, 6)) {
      expect(await reply.json()).toMatchObject({ status: 'degraded', dependencies: { workers: { serving: 3 } } });
    }
    expect((await gateway.call('/api/fixed')).body).toBe('second');
  });
});

const killAll = (gateway: GatewayProcess, signal: NodeJS.Signals) => {
  for (const pid of livingWorkers(gateway)) process.kill(pid, signal);
};

/** Returns the statuses of requests on separate connections; 0 without a response in time. */
const statusesOf = (url: string, count: number, key = goodKey, withinMs = 20_000) =>
  Promise.all(
    Array.from({ length: count }, () =>
      fetch(url, { headers: { 'X-API-Key': key, Connection: 'close' }, signal: AbortSignal.timeout(withinMs) }).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  );

test('setting workers: SIGTERM drains all workers, and requests in progress finish', async () => {
  const waiting: (() => void)[] = [];
  const upstream = await startListener((_, res) => waiting.push(() => res.end('"late"')));
  onTestFinished(upstream.stop);
  const gateway = await startGateway({
    settings: { workers: 2, drain_ms: 9_000 },
    endpoints: [{ path: '/api/slow', service: 'http', upstream: { targets: [upstream.url] } }],
  });
  const slow = responsesOf(`${gateway.url}/api/slow`, 4);
  await pollUntil(() => waiting.length === 4, { withinMs: 10_000, describe: gateway.output });
  const stopped = gateway.stop();
  // A connection opened at the moment of closing may be rejected late.
  const rejectsNew = () =>
    fetch(`${gateway.url}/health/live`, { signal: AbortSignal.timeout(1_000) }).then(
      () => false,
      () => true,
    );
  await pollUntil(rejectsNew, { withinMs: 10_000, describe: gateway.output });
  for (const reply of waiting) reply();
  expect((await slow).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await stopped).toBe(0);
});

test('setting workers: a taken port is reported once', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const error = await startGateway({ settings: { workers: 2, port }, env: { ROSTERGATE_PORT: '' } }).catch(
    (reason: Error) => reason,
  );
  const output = (error as Error).message;
  expect(output.match(new RegExp(`Port ${port} `, 'g'))).toHaveLength(1);
  expect(output).toContain('ROSTERGATE_PORT');
});

test('setting workers: without a worker, readiness is 503 and liveness 200 until one serves again', async () => {
  // A service that cannot be loaded a second time, because its lock file remains.
  const service = `import { existsSync } from 'node:fs';
import cluster from 'node:cluster';
import { defineService, z } from 'rostergate';
if (cluster.isWorker && existsSync('broken')) throw new Error('the lock is taken');
export default defineService({
  name: 'locked',
  summary: 'A lock',
  parameters: z.object({}),
  response: z.string(),
  handle: () => 'open',
});
`;
  const gateway = await startGateway({
    settings: { workers: 2 },
    endpoints: [{ path: '/api/locked', service: 'locked' }],
    files: { 'services/locked.ts': service },
  });
  await gateway.write('broken', '');
  killAll(gateway, 'SIGKILL');
  const readiness = () =>
    fetch(`${gateway.url}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  let ready = 200;
  const isUnready = async () => {
    ready = await readiness();
    return ready === 503;
  };
  await pollUntil(isUnready, { withinMs: 10_000, describe: gateway.output });
  expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
  const other = await fetch(`${gateway.url}/api/locked`);
  expect(other.status).toBe(503);
  expect(other.headers.get('content-type')).toBe('application/problem+json');
  await gateway.logged(({ reason }) => typeof reason === 'string' && reason.includes('the lock is taken'));
  await rm(join(gateway.folder, 'broken'));
  await pollUntil(async () => (await readiness()) === 200, { withinMs: 60_000, describe: gateway.output });
  expect(await statusesOf(`${gateway.url}/api/locked`, 4)).toEqual([200, 200, 200, 200]);
  const causes = gateway.log.filter(({ reason }) => typeof reason === 'string' && reason.includes('the lock is taken'));
  expect(causes).toHaveLength(1);
});

describe('two workers', () => {
  const { atEnd, end } = createEndings();
  const closed = { ...fixed, path: '/api/closed', requires_auth: true };
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await startGateway({ settings: { workers: 2 }, endpoints: [fixed, closed] }, atEnd);
  });
  afterAll(end);

  /** Resolves with the workers when two serve, and none of them is this one. */
  async function bothWithout(victim?: number): Promise<readonly [number, number]> {
    const others = () => livingWorkers(gateway).filter((pid) => pid !== victim);
    await pollUntil(() => others().length === 2, { withinMs: 30_000, everyMs: 20, describe: gateway.output });
    return others() as unknown as readonly [number, number];
  }

  test('setting workers: connections that a killed worker had not accepted are served by another', async () => {
    const [victim] = await bothWithout();
    process.kill(victim, 'SIGSTOP');
    // One of them waits at the frozen worker.
    const responses = responsesOf(`${gateway.url}/api/fixed`, 4);
    await Promise.race([responses, new Promise((resolve) => setTimeout(resolve, 500))]);
    process.kill(victim, 'SIGKILL');
    expect((await responses).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await bothWithout(victim);
  });

  test('setting workers: a revoked key is rejected within 2 s although a worker is frozen', async () => {
    const run = (...args: string[]) => runCommand(args, { cwd: gateway.folder });
    const url = `${gateway.url}/api/closed`;
    let keys = 0;
    const revoke = async () => {
      const name = `leaver-${keys++}`;
      const key = (await run('keys', 'create', '--name', name)).stdout.match(/\S+_live_\w+/)?.[0] as string;
      await pollUntil(async () => (await statusesOf(url, 4, key)).every((status) => status === 200), {
        withinMs: 30_000,
        describe: gateway.output,
      });
      const [victim] = await bothWithout();
      process.kill(victim, 'SIGSTOP');
      await run('keys', 'revoke', name);
      const revokedMs = performance.now();
      const until = async () => !(await statusesOf(url, 4, key, 1_000)).includes(200);
      await pollUntil(until, { withinMs: 30_000, everyMs: 20, describe: gateway.output });
      const tookMs = performance.now() - revokedMs;
      await bothWithout(victim);
      expect(await statusesOf(url, 8, key)).toEqual(Array(8).fill(401));
      expect(await statusesOf(url, 4)).toEqual(Array(4).fill(200));
      return tookMs;
    };
    expect(await leastMs(revoke, { msMax: 2_500 })).toBeLessThan(2_500);
  });

  test('setting workers: metrics respond within 1 s with a frozen worker, which is killed and replaced', async () => {
    const readFrozen = async () => {
      const [victim] = await bothWithout();
      process.kill(victim, 'SIGSTOP');
      const startedMs = performance.now();
      const { status } = await fetch(`${gateway.url}/metrics`, { signal: AbortSignal.timeout(20_000) });
      const tookMs = performance.now() - startedMs;
      expect(status).toBe(200);
      const line = await gateway.logged(({ msg, pid }) => msg?.startsWith('worker ended') === true && pid === victim);
      expect(line).toMatchObject({ signal: 'SIGKILL', reason: expect.stringContaining('2 s') });
      await bothWithout(victim);
      expect(await statusesOf(`${gateway.url}/api/fixed`, 4)).toEqual(Array(4).fill(200));
      return tookMs;
    };
    expect(await leastMs(readFrozen, { msMax: 1_000 })).toBeLessThan(1_000);
  });

  test('setting workers: the same workers continue after the whole machine was suspended', async () => {
    const workers = await bothWithout();
    const all = [gateway.child.pid as number, ...workers];
    const before = gateway.log.length;
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    // The primary last: it ends a worker that it does not hear.
    for (const pid of all.toReversed()) process.kill(pid, 'SIGCONT');
    await gateway.write('endpoints.json', { endpoints: [{ ...fixed, parameters: { answer: 'second' } }] });
    await pollUntil(() => gateway.log.slice(before).some(({ msg }) => msg === 'configuration applied'), {
      withinMs: 20_000,
      describe: gateway.output,
    });
    expect(
      new Set(await Promise.all((await responsesOf(`${gateway.url}/api/fixed`, 8)).map((one) => one.json()))),
    ).toEqual(new Set(['second']));
    expect(livingWorkers(gateway)).toEqual(workers);
  });

  test('setting workers: between the end of all workers and the next start, requests are 503', async () => {
    const seen = new Set<number>();
    const readGap = async () => {
      await bothWithout();
      const before = workersServed(gateway).length;
      killAll(gateway, 'SIGKILL');
      const isBack = async () => {
        for (const status of await statusesOf(`${gateway.url}/api/fixed`, 1)) seen.add(status);
        return seen.has(200) && workersServed(gateway).length > before;
      };
      await pollUntil(isBack, { withinMs: 30_000, everyMs: 20, describe: gateway.output });
    };
    // A busy machine may delay the requests beyond the next start.
    for (let gaps = 0; gaps < 3 && !seen.has(503); gaps++) await readGap();
    expect(seen).toContain(503);
  });
});

test('setting workers: a write removes the stored responses of its URI in every worker', async () => {
  let version = 1;
  const upstream = await startListener((req, res) => {
    if (req.method === 'PUT') version++;
    res.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'max-age=600' }).end(`v${version}`);
  });
  onTestFinished(upstream.stop);
  const http = { path: '/api/thing', service: 'http', upstream: { targets: [upstream.url] } };
  const gateway = await startGateway({
    settings: { workers: 3 },
    endpoints: [
      { ...http, cache_seconds: 600 },
      { ...http, method: 'PUT' },
    ],
  });
  const read = async () => {
    const responses = await responsesOf(`${gateway.url}/api/thing`, 30);
    return new Set(await Promise.all(responses.map((reply) => reply.text())));
  };
  for (let round = 1; round <= 5; round++) {
    expect(await read()).toEqual(new Set([`v${round}`]));
    expect((await fetch(`${gateway.url}/api/thing`, { method: 'PUT', headers, body: 'x' })).status).toBe(200);
  }
  expect(await read()).toEqual(new Set(['v6']));
});

test('setting workers: a slow build leaves a worker less time to serve the edit', async () => {
  const service = (body: string, text: string) => `import cluster from 'node:cluster';
import { mkdirSync } from 'node:fs';
import { defineService, z } from 'rostergate';
${body}
export default defineService({
  name: 'slow',
  summary: 'Takes long to load',
  parameters: z.object({}),
  response: z.string(),
  handle: () => '${text}',
});
`;
  // The first worker takes over a second, the other one much longer.
  const delay = `let delayMs = 0;
if (cluster.isWorker) {
  delayMs = 1_200;
  try {
    mkdirSync('first');
  } catch {
    delayMs = 60_000;
  }
}
await new Promise((resolve) => setTimeout(resolve, delayMs));
`;
  const gateway = await startGateway({
    settings: { workers: 2 },
    endpoints: [{ path: '/api/slow', service: 'slow' }],
    files: { 'services/slow.ts': service('', 'before') },
  });
  await gateway.write('services/slow.ts', service(delay, 'after'));
  const { reason } = await gateway.logged(({ msg }) => msg?.startsWith('worker ended') === true);
  const withinMs = Number(/did not reply to swap within (\d+) ms/.exec(String(reason))?.[1]);
  // An edit applies within 2 s, of which its detection and the first build take more than 1,600 ms.
  expect(withinMs).toBeLessThanOrEqual(400);
  for (const reply of await responsesOf(`${gateway.url}/api/slow`, 8)) expect(await reply.json()).toBe('after');
});

test('setting workers: SIGTERM during the start of workers ends all of them by the deadline of the drain', async () => {
  const service = `import cluster from 'node:cluster';
import { mkdirSync } from 'node:fs';
import { defineService, z } from 'rostergate';
if (cluster.isWorker) {
  mkdirSync(\`starting/\${process.pid}\`, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
export default defineService({
  name: 'slow',
  summary: 'Takes long to load',
  parameters: z.object({}),
  response: z.string(),
  handle: () => 'open',
});
`;
  const folder = await makeGatewayFolder({
    settings: { workers: 2, drain_ms: 1_000 },
    endpoints: [{ path: '/api/slow', service: 'slow' }],
    files: { 'services/slow.ts': service },
  });
  const starting = join(folder, 'starting');
  await mkdir(starting);
  const server = spawnServer({
    program: serverPrograms.gateway.file,
    args: ['serve'],
    cwd: folder,
    env: { ROSTERGATE_PORT: '0' },
  });
  onTestFinished(async () => void (await server.stop()));
  const pids = async () => (await readdir(starting)).map(Number);
  await pollUntil(async () => (await pids()).length === 2, { withinMs: 20_000, describe: server.output });
  const startedMs = performance.now();
  expect(await server.stop()).toBe(0);
  // Loading takes a minute; ending the processes takes seconds on a busy machine.
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  for (const pid of await pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
