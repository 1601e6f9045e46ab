import { setTimeout as wait } from 'node:timers/promises';
import type { Say } from '../compare-servers.ts';
import { type Figure, median, notRun, toFigure } from '../figure.ts';
import { sendRequests } from '../load.ts';
import { callablePath, createEndpoints } from './configurations.ts';
import { type Form, isBuilt, startGateway } from './gateway.ts';

const runs = 7;
const endpoints = createEndpoints(100);
const memoryEndpoints = 1_000;

/** Measures the time from starting the process to its first 200 of /health/ready, with 100 endpoints. */
export async function measureStart(say: Say): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const form of ['source', 'built'] as const) {
    const bound = { name: `gateway: start to ready, 100 endpoints (${form})`, max: 400, unit: 'ms' };
    if (form === 'built' && !isBuilt()) {
      figures.push(notRun(bound, 'run pnpm build first'));
      continue;
    }
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      times.push(await startOnce(form));
      say(`${form} ${Math.round(times.at(-1) as number)} ms`);
    }
    const range = `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} in ${runs} runs`;
    figures.push(toFigure(bound, median(times), range));
  }
  return figures;
}

async function startOnce(form: Form): Promise<number> {
  const gateway = await startGateway({ endpoints, form, isProbed: false, core: 'any' });
  await gateway.stop();
  return gateway.readyMs;
}

/** Measures resident memory with 1,000 endpoints after 1,000 requests, and after a garbage collection. */
export async function measureMemory(say: Say): Promise<readonly Figure[]> {
  const gateway = await startGateway({ endpoints: createEndpoints(memoryEndpoints) });
  const { url, ask, stop } = gateway;
  try {
    const atStart = toMegabytes(await ask('memory'));
    say(`${Math.round(atStart)} MB when ready`);
    const load = { url, path: (n: number) => callablePath(memoryEndpoints, n), connections: 8 };
    const { failed } = await sendRequests(load, 1_000);
    const afterRequests = toMegabytes(await ask('memory'));
    say(`${Math.round(afterRequests)} MB after 1,000 requests, ${failed} of which failed`);
    await wait(1_000);
    await ask('collect');
    await wait(1_000);
    const idle = toMegabytes(await ask('memory'));
    return [
      toFigure(
        { name: `gateway: memory, ${memoryEndpoints} endpoints, after 1,000 requests`, max: 130, unit: 'MB' },
        afterRequests,
      ),
      toFigure(
        { name: `gateway: memory, ${memoryEndpoints} endpoints, idle and collected`, max: 130, unit: 'MB' },
        idle,
      ),
    ];
  } finally {
    await stop();
  }
}

function toMegabytes(bytes: number): number {
  return bytes / 1e6;
}
