import { setTimeout as wait } from 'node:timers/promises';
import type { Say } from '../compare-servers.ts';
import { type Figure, median, toFigure } from '../figure.ts';
import { keepSending } from '../load.ts';
import type { Pauses } from '../probe.mjs';
import { callablePath, createEndpoints } from './configurations.ts';
import { type Gateway, startGateway } from './gateway.ts';

const count = 10_000;
const reloads = 5;
const requestsPerSecond = 500;
const liveWithinMs = 30_000;

/** Measures an edit of 10,000 endpoints under load: time until live, longest pause, failed requests. */
export async function measureReload(say: Say): Promise<readonly Figure[]> {
  const endpoints = createEndpoints(count - 1);
  const gateway = await startGateway({ endpoints: withMarker(endpoints, 0) });
  const load = keepSending(
    { url: gateway.url, path: (n) => callablePath(count - 1, n), connections: 16 },
    requestsPerSecond,
  );
  const live: number[] = [];
  const pauses: Pauses[] = [];
  try {
    await wait(2_000);
    for (let reload = 1; reload <= reloads; reload++) {
      await gateway.ask('watch');
      const startedMs = performance.now();
      await gateway.configure(withMarker(endpoints, reload));
      await waitForMarker(gateway, reload);
      live.push(performance.now() - startedMs);
      // Discarding the old generation counts too.
      await wait(500);
      const seen = await gateway.ask<Pauses>('pauses');
      pauses.push(seen);
      say(
        `live in ${round(live.at(-1))} ms, longest pause ${round(seen.monitored)} ms (${round(seen.betweenTurns)} between turns)`,
      );
    }
  } finally {
    await load.stop();
    await gateway.stop();
  }
  const { sent, failed } = await load.stop();
  say(`${sent} requests, ${failed} failed`);
  const longest = Math.max(...pauses.flatMap(({ monitored, betweenTurns }) => [monitored, betweenTurns]));
  const each = (values: readonly number[]) => `${values.map(round).join(', ')} ms`;
  return [
    toFigure(
      { name: 'gateway: reload of 10,000 endpoints, live', max: 1_000, unit: 'ms' },
      Math.max(...live),
      each(live),
    ),
    toFigure(
      { name: 'gateway: reload of 10,000 endpoints, longest pause', max: 20, unit: 'ms' },
      longest,
      `median ${round(median(pauses.map(({ monitored }) => monitored)))} ms`,
    ),
    toFigure(
      { name: 'gateway: reload of 10,000 endpoints, failed requests', max: 0, unit: 'requests' },
      failed,
      `of ${sent}`,
    ),
  ];
}

function withMarker(endpoints: readonly object[], version: number): object[] {
  return [...endpoints, { path: '/api/marker', service: 'static', parameters: { answer: version } }];
}

async function waitForMarker({ url }: Gateway, version: number): Promise<void> {
  const deadlineMs = performance.now() + liveWithinMs;
  while ((await fetch(`${url}/api/marker`).then((response) => response.json())) !== version) {
    if (performance.now() > deadlineMs) throw new Error(`The edit was not live within ${liveWithinMs} ms.`);
    await wait(5);
  }
}

function round(ms: number | undefined): number {
  return Math.round((ms ?? 0) * 10) / 10;
}
