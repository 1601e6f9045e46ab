import { expect, test } from 'vitest';
import { type FaultedProxy, startFaultedProxy } from './faulted-proxy.ts';
import type { Fault } from './faults.ts';
import { createFigures } from './figures.ts';
import { createRoster } from './sound-responses.ts';

const roster = createRoster(4 * 1_048_576);
const sendsRoster: Fault = { respond: ({ respond }) => respond(roster) };

test('validating four megabytes does not block the event loop, neither after nor before sending', async () => {
  const figures = createFigures('Whole rosters of 4 MiB, one after the other', [
    'checks',
    'median ms',
    'to the first byte, median ms',
    'longest pause of the loop, median ms',
    'CPU ms per roster',
    'resident MiB',
  ]);
  const pauses: Record<string, number> = {};
  for (const mode of ['off', 'sample', 'strict'] as const) {
    const faulted = await startFaultedProxy(['reader'], {
      validate_responses: mode,
      validate_sample_every: 1,
      log_sample_every: 1_000_000,
    });
    try {
      faulted.upstream.use(sendsRoster);
      for (let i = 0; i < 10; i++) await readRoster(faulted);
      await takePauseMs(faulted);
      const rounds: { pauseMs: number; endMs: number; headMs: number }[] = [];
      const before = await cpuMs(faulted);
      for (let i = 0; i < 20; i++) {
        const { endMs, headMs } = await readRoster(faulted);
        rounds.push({ endMs, headMs, pauseMs: await takePauseMs(faulted) });
      }
      const usedMs = ((await cpuMs(faulted)) - before) / rounds.length;
      const pauseMs = medianOf(rounds.map((round) => round.pauseMs));
      pauses[mode] = pauseMs;
      const [endMs, headMs] = [medianOf(rounds.map((r) => r.endMs)), medianOf(rounds.map((r) => r.headMs))];
      figures.add([mode, endMs, headMs, pauseMs, usedMs, (await faulted.residentBytes()) / 1_048_576]);
      if (mode !== 'off') {
        const metrics = await metricsOf(faulted);
        expect(metrics).toMatch(/upstream_answers_checked_total\{operation="listStaffMembers",outcome="sound"\} [1-9]/);
      }
    } finally {
      await faulted.stop();
    }
  }
  figures.print();
  // On a busy machine the loop of a proxy without validation pauses too.
  const pauseMaxMs = Math.max(50, 3 * (pauses.off ?? 0));
  expect(pauses.sample).toBeLessThan(pauseMaxMs);
  expect(pauses.strict).toBeLessThan(pauseMaxMs);
});

async function readRoster({ ask }: FaultedProxy) {
  const outcome = await ask({ account: 'reader' });
  expect([outcome.status, outcome.isWhole]).toEqual([200, true]);
  return outcome;
}

/** Returns the longest pause of the proxy's event loop since the last call. */
async function takePauseMs(faulted: FaultedProxy): Promise<number> {
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await metricsOf(faulted))?.[1]) * 1_000;
}

async function cpuMs(faulted: FaultedProxy): Promise<number> {
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(await metricsOf(faulted))?.[1]) * 1_000;
}

async function metricsOf({ proxy }: FaultedProxy): Promise<string> {
  return (await fetch(`${proxy.url}/metrics`)).text();
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
