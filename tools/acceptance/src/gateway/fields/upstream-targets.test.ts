import { expect, onTestFinished, test } from 'vitest';
import { type GatewayProcess, startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { workersServed } from '../../promises/worker-lines.ts';
import { shareGateway } from '../../shared-gateway.ts';
import { startListener } from '../../start-listener.ts';

const gateways = shareGateway();

/** An upstream with a health check, which fails as long as the test wants. */
async function startTarget() {
  const state = { isSick: false, served: 0, checks: 0 };
  const { url, stop } = await startListener((req, res) => {
    const isCheck = req.url === '/up';
    if (isCheck) state.checks++;
    else state.served++;
    res.writeHead(isCheck && state.isSick ? 503 : 200, { 'Content-Type': 'application/json' }).end('{}');
  });
  onTestFinished(stop);
  return Object.assign(state, { url, host: new URL(url).host });
}

const health = { path: '/up', interval_ms: 100, timeout_ms: 10_000, unhealthy_after: 2, healthy_after: 2 };

function endpointOf(targets: readonly unknown[], upstream: object = {}) {
  return { path: '/api/n', service: 'http', upstream: { targets, ...upstream } };
}

async function ask({ url }: Pick<GatewayProcess, 'url'>, times: number): Promise<number[]> {
  const responses = Array.from({ length: times }, () => fetch(`${url}/api/n`, { headers: { Connection: 'close' } }));
  return (await Promise.all(responses)).map(({ status }) => status);
}

/** Waits until readiness, as every worker reports it, shows these targets as unhealthy. */
function untilUnhealthy({ url, output }: GatewayProcess, hosts: readonly string[]): Promise<void> {
  const read = async () => {
    const response = await fetch(`${url}/health/ready`, { headers: { Connection: 'close' } });
    const { dependencies } = (await response.json()) as { dependencies: { upstreams: { unhealthy?: unknown } } };
    return JSON.stringify(dependencies.upstreams.unhealthy);
  };
  return pollUntil(
    async () => {
      const found = await Promise.all(Array.from({ length: 12 }, read));
      return found.every((one) => one === JSON.stringify(hosts));
    },
    { withinMs: 20_000, everyMs: 50, describe: output },
  );
}

test('field upstream: targets with weights get their share of the requests', async () => {
  const [a, b] = [await startTarget(), await startTarget()];
  const gateway = await gateways.serve({ endpoints: [endpointOf([{ url: a.url, weight: 9 }, b.url])] });
  for (let i = 0; i < 300; i++) await ask(gateway, 1);
  expect(a.served + b.served).toBe(300);
  expect(Math.abs(b.served - 30)).toBeLessThan(25);
});

test('field upstream: health takes a sick target out, also across an edit, and back', async () => {
  const [a, b, c] = [await startTarget(), await startTarget(), await startTarget()];
  const gateway = await gateways.serve({ endpoints: [endpointOf([a.url, b.url], { health })] });
  await untilUnhealthy(gateway, []);
  a.isSick = true;
  await untilUnhealthy(gateway, [a.host]);
  const before = a.served;
  await ask(gateway, 30);
  await gateway.write('endpoints.json', { endpoints: [endpointOf([a.url, c.url], { health })] });
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  await ask(gateway, 30);
  expect([a.served, c.served]).toEqual([before, 30]);
  const { checks } = b;
  const seen = a.checks;
  await pollUntil(() => a.checks >= seen + 5, { withinMs: 20_000, describe: gateway.output });
  expect(b.checks).toBe(checks);
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(
    `upstream_target_healthy{target="${a.host}"} 0`,
  );
  a.isSick = false;
  await untilUnhealthy(gateway, []);
  await ask(gateway, 60);
  expect(a.served).toBeGreaterThan(before);
  expect(gateway.log.filter(({ target }) => target === a.host).map(({ msg }) => msg)).toEqual([
    'upstream target fails its health checks',
    'upstream target is healthy again',
  ]);
});

test('field upstream: health is checked once for all workers, and they agree, also a replaced one', async () => {
  const [a, b] = [await startTarget(), await startTarget()];
  const gateway = await startGateway({
    settings: { workers: 3 },
    endpoints: [endpointOf([a.url, b.url], { health: { ...health, interval_ms: 1_000 } })],
  });
  a.isSick = true;
  await untilUnhealthy(gateway, [a.host]);
  const before = a.served;
  const [startedMs, startedChecks] = [performance.now(), a.checks];
  expect(new Set(await ask(gateway, 60))).toEqual(new Set([200]));
  const [victim] = workersServed(gateway);
  process.kill(victim as number, 'SIGKILL');
  await pollUntil(() => new Set(workersServed(gateway)).size === 4, { withinMs: 30_000, describe: gateway.output });
  await untilUnhealthy(gateway, [a.host]);
  expect(new Set(await ask(gateway, 60))).toEqual(new Set([200]));
  expect(a.served).toBe(before);
  // Three workers that check for themselves would check three times as often.
  const intervals = (performance.now() - startedMs) / 900;
  expect(a.checks - startedChecks).toBeLessThanOrEqual(Math.ceil(intervals) + 1);
});

test('field upstream: health fails everywhere: requests are sent to all targets', async () => {
  const [a, b] = [await startTarget(), await startTarget()];
  const gateway = await gateways.serve({ endpoints: [endpointOf([a.url, b.url], { health })] });
  [a.isSick, b.isSick] = [true, true];
  await untilUnhealthy(gateway, [a.host, b.host].sort());
  expect(new Set(await ask(gateway, 20))).toEqual(new Set([200]));
});

test('field upstream: breaker decides when the circuit opens', async () => {
  const { url, stop } = await startListener((_req, res) => {
    res.writeHead(503, { 'Content-Type': 'application/json' }).end('{}');
  });
  onTestFinished(stop);
  const breaker = { requests_min: 2, open_ms: 600_000, open_ms_max: 600_000 };
  const gateway = await gateways.serve({
    endpoints: [
      endpointOf([url], { retries: 0, breaker }),
      { ...endpointOf([url], { retries: 0 }), path: '/api/default' },
    ],
  });
  const codesOf = async (path: string) => {
    const codes: unknown[] = [];
    for (let i = 0; i < 4; i++) codes.push((await gateway.call(path)).body.code);
    return codes;
  };
  expect(await codesOf('/api/n')).toEqual([undefined, undefined, 'unavailable', 'unavailable']);
  expect(await codesOf('/api/default')).toEqual([undefined, undefined, undefined, undefined]);
});
