import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type GatewayProcess, goodKey, startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { startListener } from '../../start-listener.ts';

const fixed = { path: '/api/fixed', service: 'static', parameters: { answer: 'first' } };
const headers = { 'X-API-Key': goodKey, Connection: 'close' };

/** Asks so often, each time on a connection of its own, so that every worker has its share. */
async function answersOf(url: string, count: number): Promise<Response[]> {
  return Promise.all(Array.from({ length: count }, () => fetch(url, { headers })));
}

const pidsOf = ({ log }: GatewayProcess) =>
  log.filter(({ msg }) => msg === 'worker serves').map(({ pid }) => pid as number);

test('setting workers: so many processes behind one port count, measure and take up edits as one', async () => {
  const gateway = await startGateway({
    settings: { workers: 3, rate_limit_enabled: true, rate_limit_per_minute_authenticated: 400 },
    endpoints: [fixed],
  });
  expect(new Set(pidsOf(gateway)).size).toBe(3);
  const answers: Response[] = [];
  for (let wave = 0; wave < 6; wave++) answers.push(...(await answersOf(`${gateway.url}/api/fixed`, 80)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(400);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(80);

  const metrics = await (await fetch(`${gateway.url}/metrics`, { headers: { Accept: 'application/json' } })).json();
  expect(metrics).toMatchObject({
    endpoints: { 'GET /api/fixed': { count: 480, status_codes: { 200: 400, 429: 80 } } },
  });

  const settings = { workers: 3, api_keys: goodKey, rate_limit_enabled: false };
  await gateway.write('settings.json', settings);
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  await gateway.write('endpoints.json', { endpoints: [{ ...fixed, parameters: { answer: 'second' } }] });
  await pollUntil(() => gateway.log.filter(({ msg }) => msg === 'configuration applied').length === 2, {
    withinMs: 10_000,
    describe: gateway.said,
  });
  const bodies = await Promise.all((await answersOf(`${gateway.url}/api/fixed`, 30)).map((answer) => answer.json()));
  expect(new Set(bodies)).toEqual(new Set(['second']));

  await gateway.write('endpoints.json', '{ "endpoints": [ { ');
  await gateway.logged(({ level }) => level === 'error');
  for (const answer of await answersOf(`${gateway.url}/health/ready`, 6)) {
    expect(await answer.json()).toMatchObject({ status: 'degraded', dependencies: { workers: { serving: 3 } } });
  }
  expect((await gateway.call('/api/fixed')).body).toBe('second');
});

test('setting workers: a worker that is killed is replaced, and the others go on', async () => {
  const gateway = await startGateway({ settings: { workers: 2 }, endpoints: [fixed] });
  const [victim] = pidsOf(gateway);
  process.kill(victim as number, 'SIGKILL');
  await gateway.logged(({ msg, pid }) => msg?.startsWith('worker ended') === true && pid === victim);
  expect((await answersOf(`${gateway.url}/api/fixed`, 10)).every(({ ok }) => ok)).toBe(true);
  const killedMs = performance.now();
  await pollUntil(() => pidsOf(gateway).length === 3, { withinMs: 15_000, everyMs: 20, describe: gateway.said });
  expect(performance.now() - killedMs).toBeLessThan(10_000);
  expect((await answersOf(`${gateway.url}/api/fixed`, 10)).every(({ ok }) => ok)).toBe(true);
});

test('setting workers: what a killed worker had not yet taken is answered by another', async () => {
  const gateway = await startGateway({ settings: { workers: 2 }, endpoints: [fixed] });
  const [victim] = pidsOf(gateway);
  process.kill(victim as number, 'SIGSTOP');
  // One of them goes to the frozen one, and waits.
  const answers = answersOf(`${gateway.url}/api/fixed`, 4);
  await Promise.race([answers, new Promise((resolve) => setTimeout(resolve, 500))]);
  process.kill(victim as number, 'SIGKILL');
  expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('setting workers: SIGTERM drains all of them, and what is in flight ends', async () => {
  const waiting: (() => void)[] = [];
  const upstream = await startListener((_, res) => waiting.push(() => res.end('"late"')));
  onTestFinished(upstream.stop);
  const gateway = await startGateway({
    settings: { workers: 2 },
    endpoints: [{ path: '/api/slow', service: 'http', upstream: { targets: [upstream.url] } }],
  });
  const slow = answersOf(`${gateway.url}/api/slow`, 4);
  await pollUntil(() => waiting.length === 4, { withinMs: 10_000, describe: gateway.said });
  const stopped = gateway.stop();
  // A connection that came in the very moment of closing may hang until the end: it is refused, only late.
  const refusesNew = () =>
    fetch(`${gateway.url}/health/live`, { signal: AbortSignal.timeout(1_000) }).then(
      () => false,
      () => true,
    );
  await pollUntil(refusesNew, { withinMs: 10_000, describe: gateway.said });
  for (const answer of waiting) answer();
  expect((await slow).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await stopped).toBe(0);
});

test('setting workers: a port that is taken is said once, and nothing is left running', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const error = await startGateway({ settings: { workers: 2, port }, env: { ROSTERGATE_PORT: '' } }).catch(
    (reason: Error) => reason,
  );
  const said = (error as Error).message;
  expect(said.match(new RegExp(`Port ${port} `, 'g'))).toHaveLength(1);
  expect(said).toContain('ROSTERGATE_PORT');
});
