import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../figure.ts';
import { sendRequests } from '../load.ts';
import { callablePath, createEndpoints } from './endpoints.ts';
import { startGateway } from './gateway.ts';

const count = 1_000;

/** Measures resident memory with 1,000 endpoints after 1,000 requests, and after a garbage collection. */
export async function measureMemory(say: (text: string) => void): Promise<readonly Figure[]> {
  const gateway = await startGateway({ endpoints: createEndpoints(count) });
  const { url, ask, stop } = gateway;
  try {
    const atStart = toMegabytes(await ask('memory'));
    say(`${Math.round(atStart)} MB when ready`);
    const load = { url, path: (n: number) => callablePath(count, n), connections: 8 };
    const { failed } = await sendRequests(load, 1_000);
    const afterRequests = toMegabytes(await ask('memory'));
    say(`${Math.round(afterRequests)} MB after 1,000 requests, ${failed} of which failed`);
    await wait(1_000);
    await ask('collect');
    await wait(1_000);
    const idle = toMegabytes(await ask('memory'));
    return [
      toFigure(
        { name: `gateway: memory, ${count} endpoints, after 1,000 requests`, max: 130, unit: 'MB' },
        afterRequests,
      ),
      toFigure({ name: `gateway: memory, ${count} endpoints, idle and collected`, max: 130, unit: 'MB' }, idle),
    ];
  } finally {
    await stop();
  }
}

function toMegabytes(bytes: number): number {
  return bytes / 1e6;
}
