import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../../../../apps/scheduling/src/demo/random.ts';
import { startListener } from '../../start-listener.ts';
import { type PacedLoadOptions, startPacedLoad } from './paced-load.ts';

const options: PacedLoadOptions = {
  atEnd: (end) => onTestFinished(async () => void (await end())),
  random: createRandom('paced load'),
};

async function startHolding() {
  const held: ServerResponse[] = [];
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { url, stop } = await startListener((req, res) => {
    if (req.url === '/bad') return res.writeHead(500).end('broken');
    held.push(res);
    resolve();
  });
  onTestFinished(stop);
  return { url, held, asked };
}

it('pauses once all requests have their response, and sends none during the pause', async () => {
  const { url, held, asked } = await startHolding();
  const load = startPacedLoad([{ server: 'x', everyMs: 1, ask: () => ({ url }) }], options);
  await asked;
  let isPaused = false;
  const paused = load.pause().then(() => {
    isPaused = true;
  });
  await new Promise(setImmediate);
  expect(isPaused).toBe(false);
  held[0]?.end();
  await paused;
  expect([held.length, load.responses, load.takeTimes().get('x')?.length]).toEqual([1, 1, 1]);
  expect(load.takeTimes().get('x')).toBeUndefined();
});

it('reports unexpected responses', async () => {
  const { url } = await startHolding();
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const ask = (n: number) => {
    if (n === 1) resolve();
    return { url: `${url}/bad`, method: 'PUT' };
  };
  const load = startPacedLoad(
    [
      { server: 'x', everyMs: 1, ask },
      { server: 'x', everyMs: 1, ask: () => ({ url: `${url}/bad` }), wanted: [500] },
    ],
    options,
  );
  await failed;
  await load.pause();
  expect(new Set(load.failures)).toEqual(new Set([`x: PUT ${url}/bad: 500 broken`]));
});
