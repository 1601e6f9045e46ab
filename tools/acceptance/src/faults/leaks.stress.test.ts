import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pollUntil } from '../poll-until.ts';
import { emailOf, startFaultedProxy } from './faulted-proxy.ts';
import { type FaultName, faults } from './faults.ts';
import { createFigures } from './figures.ts';

/** An upstream over its limit for an hour receives no further requests. */
const names = (Object.keys(faults) as FaultName[]).filter((name) => name !== 'is over its limit for an hour');
/** The first rounds fill connections, compiled code and buffers. */
const roundCount = 20;
/** The allocator takes memory in steps, some of them late. Only a leak grows in all rounds. */
const roundsMax = 40;
/** In MiB. */
const growthMax = { resident: 32, heap: 8 };
const mebibyte = 1_048_576;

// The tests mostly wait.
test.concurrent.each(['sample', 'strict'])('repeated faults leak neither sockets nor memory (%s)', async (mode) => {
  const accounts = names.map((_, i) => `account-${i}`);
  const { upstream, ask, openFiles, residentBytes, proxy, stop } = await startFaultedProxy(accounts, {
    upstream_timeout_ms: 400,
    upstream_connect_timeout_ms: 100,
    upstream_body_timeout_ms: 400,
    validate_responses: mode,
    validate_sample_every: 1,
    log_sample_every: 1_000_000,
  });
  const figures = createFigures(`All ${names.length} faults, five clients each, round by round (${mode})`, [
    'round',
    'requests',
    'open files',
    'connections to the upstream',
    'resident MiB',
    'heap MiB',
  ]);
  const askAll = (account: string, round: number) =>
    Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        ask({ account, path: `/v2/staffmember?$top=${round}&$skip=${i}`, hangUpMs: 800 }),
      ),
    );
  const seen: { readonly resident: number; readonly heap: number }[] = [];
  /** The growth of the last rounds over those six rounds earlier, in MiB. */
  const growthOf = (of: 'resident' | 'heap') => {
    const figuresOf = (rounds: typeof seen) => rounds.map((figure) => figure[of]);
    return Math.min(...figuresOf(seen.slice(-3))) - Math.max(...figuresOf(seen.slice(-9, -6)));
  };
  try {
    const filesAtRest = await openFiles();
    const isGrowing = () => growthOf('resident') >= growthMax.resident || growthOf('heap') >= growthMax.heap;
    for (let round = 1; round <= roundCount || (isGrowing() && round <= roundsMax); round++) {
      upstream.use(faults['resets on connect']);
      await askAll('account-0', round);
      upstream.use();
      for (const [i, name] of names.entries()) upstream.use(faults[name], emailOf(`account-${i}`));
      await Promise.all(accounts.map((account) => askAll(account, round)));
      // Waits for internal timeouts, such as the pause of a body, and for circuits to close.
      await wait(1_500);
      const resident = (await residentBytes()) / mebibyte;
      const heap = (await heapBytes(proxy.url)) / mebibyte;
      seen.push({ resident, heap });
      figures.add([round, upstream.requests.length, await openFiles(), upstream.openSockets(), resident, heap]);
    }
    const isAtRest = async () => upstream.openSockets() === 0 && (await openFiles()) <= filesAtRest + 5;
    await pollUntil(isAtRest, {
      withinMs: 30_000,
      describe: () => `${upstream.openSockets()} connections to the upstream or other files stay open without requests`,
    });
  } finally {
    await stop();
    figures.print();
  }
  expect(growthOf('resident')).toBeLessThan(growthMax.resident);
  expect(growthOf('heap')).toBeLessThan(growthMax.heap);
});

async function heapBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]);
}
