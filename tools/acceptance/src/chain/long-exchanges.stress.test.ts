import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRoster } from '../faults/sound-responses.ts';
import { startChain } from './start-chain.ts';

const residentMiB = async (pid = 0) =>
  Number(/VmRSS:\s*(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test('a list of 50 MB reaches a client that pauses longer than every deadline, in bounded memory', async () => {
  const { gateway, proxy, upstream } = await startChain({
    endpointUpstream: { timeout_ms: 2_000 },
    proxySettings: { upstream_timeout_ms: 1_500, upstream_body_timeout_ms: 1_500 },
  });
  const list = createRoster(50_000_000);
  upstream.use({ respond: ({ respond }) => respond(list) });
  const residents = () => Promise.all([gateway, proxy].map(({ child }) => residentMiB(child.pid)));
  const url = `${gateway.url}/api/staff`;
  const whole = { status: 200, bytes: Buffer.byteLength(list) };
  // The heaps grow to their working size with the first lists.
  for (let i = 0; i < 3; i++) expect(await readList(url)).toEqual(whole);
  const before = await residents();
  const growths: number[][] = [];
  const read = await readList(url, async () => {
    await delay(3_000);
    growths.push((await residents()).map((now, i) => now - (before[i] as number)));
  });
  expect(read).toEqual(whole);
  expect(growths.length).toBeGreaterThan(3);
  expect(Math.max(...growths.flat())).toBeLessThan(30);
});

/** Reads the whole response; waits for `onPause` after every 10 MB. */
async function readList(url: string, onPause: () => Promise<void> = async () => {}) {
  const sent = get(url);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let bytes = 0;
  let pauses = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > (pauses + 1) * 10_000_000) {
      pauses++;
      await onPause();
    }
  }
  return { status: response.statusCode, bytes };
}

test('no pause near the keep-alive timeout fails a request, writes included', async () => {
  const seconds = Number(process.env.CHAIN_PAUSES_SECONDS ?? 20);
  const keepAliveMs = 2_000;
  const { gateway, upstream } = await startChain({
    gatewaySettings: { keep_alive_timeout_ms: keepAliveMs },
    proxySettings: { keep_alive_timeout_ms: keepAliveMs },
  });
  const agent = new Agent({ keepAlive: true });
  const untilMs = performance.now() + seconds * 1_000;
  const failures: string[] = [];
  let asked = 0;
  const lane = async (n: number) => {
    for (let i = 0; performance.now() < untilMs; i++) {
      asked++;
      const isWrite = (n + i) % 2 === 0;
      await send(agent, `${gateway.url}/api/staff${isWrite ? '' : `?$skip=${n * 1_000 + i}`}`, isWrite).then(
        (status) => status < 300 || failures.push(String(status)),
        (error: Error) => failures.push(error.message),
      );
      // From well before to well after the servers close the connection.
      await delay(keepAliveMs - 300 + ((n * 37 + i * 61) % 600));
    }
  };
  await Promise.all(Array.from({ length: 60 }, (_, n) => lane(n)));
  agent.destroy();
  expect(failures).toEqual([]);
  expect(asked).toBeGreaterThan(seconds * 15);
  expect(upstream.requests.length).toBe(asked);
});

function send(agent: Agent, url: string, isWrite: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = request(url, isWrite ? { agent, method: 'POST', headers } : { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(isWrite ? '{"StaffId":"S-1"}' : undefined);
  });
}
