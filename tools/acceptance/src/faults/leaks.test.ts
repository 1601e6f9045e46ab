import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { emailOf, startFaultedProxy } from './faulted-proxy.ts';
import { type FaultName, faults } from './faults.ts';
import { createFigures } from './figures.ts';

/** What is not answered for an hour leaves nothing to see. */
const names = (Object.keys(faults) as FaultName[]).filter((name) => name !== 'is over its limit for an hour');
const rounds = 10;
const mebibyte = 1_048_576;

test.each(['sample', 'strict'])(
  'every fault again and again leaves neither sockets nor memory behind (%s)',
  async (mode) => {
    const accounts = names.map((_, i) => `account-${i}`);
    const { upstream, ask, openFiles, residentBytes, proxy, stop } = await startFaultedProxy(accounts, {
      upstream_timeout_ms: 400,
      upstream_connect_timeout_ms: 100,
      upstream_body_timeout_ms: 400,
      validate_responses: mode,
      validate_sample_every: 1,
      log_sample_every: 1_000_000,
    });
    const figures = createFigures(`All ${names.length} faults, five callers each, round by round (${mode})`, [
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
          ask({ account, path: `/v2/staffmember?$top=${round}&$skip=${i}`, hangUpMs: 800 }).catch(() => undefined),
        ),
      );
    const seen: { readonly files: number; readonly resident: number; readonly heap: number }[] = [];
    try {
      for (let round = 1; round <= rounds; round++) {
        upstream.use(faults['resets on connect']);
        await askAll('account-0', round);
        upstream.use();
        for (const [i, name] of names.entries()) upstream.use(faults[name], emailOf(`account-${i}`));
        await Promise.all(accounts.map((account) => askAll(account, round)));
        // Long enough for what is waited for inside, such as a body's pause, and for breakers to close.
        await wait(1_500);
        const { files, resident, heap } = {
          files: await openFiles(),
          resident: (await residentBytes()) / mebibyte,
          heap: (await heapBytes(proxy.url)) / mebibyte,
        };
        seen.push({ files, resident, heap });
        figures.add([round, upstream.requests.length, files, upstream.openSockets(), resident, heap]);
      }
    } finally {
      await stop();
      figures.print();
    }
    // The first rounds fill what is kept: connections, compiled code, buffers.
    const [early, late] = [seen.slice(1, 4), seen.slice(-3)];
    const most = (of: 'files' | 'resident' | 'heap') => Math.max(...early.map((figure) => figure[of]));
    const least = (of: 'files' | 'resident' | 'heap') => Math.min(...late.map((figure) => figure[of]));
    expect(least('files')).toBeLessThanOrEqual(most('files') + 5);
    expect(least('resident')).toBeLessThan(most('resident') + 32);
    expect(least('heap')).toBeLessThan(most('heap') + 8);
  },
);

async function heapBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]);
}
