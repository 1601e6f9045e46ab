import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../apps/scheduling/src/demo/random.ts';
import { toFigure } from '../../benchmark/src/figure.ts';
import { createEndings } from '../src/at-end.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { startHoldingUpstream } from '../src/promises/holding-upstream.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import { type SpawnedGateway, spawnGateway } from '../src/spawn-gateway.ts';

/** The result of one SIGTERM. */
interface Drained {
  /** Requests in flight that got no complete response. */
  lost: number;
  /** Responses after the signal without Connection: close. */
  invited: number;
  /** Readiness did not report the shutdown, or the process ended with an error. */
  dishonest: number;
  /** Stops that ended in time, and in which the client sent its later requests in time. */
  stops: number;
  /** Requests with a complete response. */
  requests: number;
  why?: string;
}

const inFlight = 6;
/** Open connections stay open for 500 ms after the signal. */
const quietMs = 400;

export const promise = definePromise({
  number: 6,
  title: 'SIGTERM drains',
  done: 'SIGTERM arrives while slow requests are in flight and kept-alive connections send more; requests that never end meet drain_ms, and event streams of services end completely',
  excludes:
    'stops in which the client sends its last requests more than 400 ms after the signal, because idle connections close after 500 ms: they are repeated; time after drain_ms in which the server or the client waited for the CPU',
  target: '0 lost in 500 stops',
  async run({ byScale, random, say }) {
    const stops = byScale({ ci: 16, full: 500 });
    const total: Drained = { lost: 0, invited: 0, dishonest: 0, stops: 0, requests: 0 };
    let begun = 0;
    const lane = async () => {
      while (total.stops < stops && begun < 2 * stops) {
        begun++;
        const { why, ...one } = await drainOnce(random);
        for (const name of ['lost', 'invited', 'dishonest', 'stops', 'requests'] as const) total[name] += one[name];
        if (why !== undefined) total.why ??= why;
        if (begun % 100 === 0) say(`${begun} stops`);
      }
    };
    await Promise.all([lane(), lane()]);
    const lateMs = Math.max(await timeAtDeadline(300), await timeAtDeadline(300), await timeAtDeadline(300));
    return [
      toFigure({ name: 'requests lost', unit: '', max: 0 }, total.lost, total.why),
      toFigure({ name: 'responses without Connection: close', unit: '', max: 0 }, total.invited, total.why),
      toFigure({ name: 'stops still ready or with an error exit', unit: '', max: 0 }, total.dishonest, total.why),
      toFigure({ name: 'exit after the deadline', unit: 'ms', max: 1_000 }, lateMs),
      toFigure({ name: 'stops', unit: '', min: stops }, total.stops),
      toFigure({ name: 'requests', unit: '', min: stops * inFlight }, total.requests),
    ];
  },
});

async function drainOnce(random: Random): Promise<Drained> {
  const { atEnd, end } = createEndings();
  try {
    const upstream = await startHoldingUpstream(atEnd, () => 'late');
    // Longer than a client may lack the CPU.
    const gateway = await startSlowGateway(upstream.url, 9_000, atEnd);
    const events = askOnce(`${gateway.url}/events`);
    const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    atEnd(async () => {
      for (const agent of agents) agent.destroy();
    });
    const askAgain = (path: string, i: number) => askOnce(gateway.url + path, { agent: agents[i] as Agent });
    await Promise.all(agents.map((_, i) => askAgain('/answer', i)));
    const slow = Array.from({ length: inFlight }, () =>
      askOnce(`${gateway.url}/slow`, { agent: new Agent({ keepAlive: true }) }),
    );
    await pollUntil(() => upstream.held() === inFlight, { withinMs: 20_000, everyMs: 2, describe: gateway.output });
    const ended = gateway.stop();
    const signalledMs = performance.now();
    // Readiness on an open connection reports the shutdown, and the response closes the connection.
    let ready = await askAgain('/health/ready', 2);
    while (ready.status === 200) ready = await askAgain('/health/ready', 2);
    // A random moment of the time in which requests can arrive on open connections.
    await wait(random.next() * 200);
    const isInTime = performance.now() - signalledMs < quietMs;
    const replies = await Promise.all([askAgain('/answer', 0), askAgain('/answer', 1)]);
    const later = isInTime ? replies : [];
    upstream.release();
    const late = await Promise.all(slow);
    const exitCode = await ended;
    // A late client finds no open connection.
    const isClosed = ready.status === 0 && !isInTime;
    const isReported = ready.status === 503 && JSON.parse(ready.text).dependencies.shutdown !== undefined;
    const dishonest = exitCode === 0 && (isReported || isClosed) ? 0 : 1;
    const all = [...late, ...later, { ...(await events), headers: { connection: 'close' } }];
    const lost = all.filter(({ status }) => status !== 200);
    const invited = [...all, ready].filter(({ headers, status }) => status !== 0 && headers.connection !== 'close');
    const why = lost[0]?.fault ?? (dishonest ? `${exitCode} ${ready.status} ${ready.fault ?? ''}` : undefined);
    return {
      ...{ lost: lost.length, invited: invited.length, dishonest },
      ...{ stops: exitCode === null || !isInTime ? 0 : 1, requests: all.length - lost.length },
      ...(why === undefined ? {} : { why }),
    };
  } finally {
    await end();
  }
}

/** Returns how long after `drain_ms` the process ends when a request never does. */
async function timeAtDeadline(drainMs: number): Promise<number> {
  const { atEnd, end } = createEndings();
  try {
    const upstream = await startHoldingUpstream(atEnd, () => 'never');
    const gateway = await startSlowGateway(upstream.url, drainMs, atEnd);
    const cut = askOnce(`${gateway.url}/slow`);
    await pollUntil(() => upstream.held() === 1, { withinMs: 20_000, everyMs: 2, describe: gateway.output });
    const stalls = watchStalls([gateway.child.pid as number, process.pid], atEnd);
    const startedMs = performance.now();
    await gateway.stop();
    const lateMs = stalls.lateMs(startedMs + drainMs);
    await cut;
    return lateMs;
  } finally {
    await end();
  }
}

function startSlowGateway(
  upstreamUrl: string,
  drainMs: number,
  atEnd: Parameters<typeof spawnGateway>[1],
): Promise<SpawnedGateway> {
  const slow = { path: '/slow', service: 'http', upstream: { targets: [upstreamUrl], timeout_ms: 30_000 } };
  return spawnGateway(
    {
      settings: { drain_ms: drainMs },
      endpoints: [slow, fixedEndpoint('here'), { path: '/events', service: 'events' }],
      files: { 'services/events.ts': eventService },
    },
    atEnd,
  );
}

/** Sends an event every 50 ms, without an end. */
const eventService = `import { setTimeout as wait } from 'node:timers/promises';
import { defineService, z } from 'rostergate';

export default defineService({
  name: 'events', summary: 'Events', parameters: z.object({}),
  responses: { 200: { stream: 'text/event-stream' } },
  handle: (_input, { signal }) => ({
    status: 200,
    body: (async function* () {
      for (;;) {
        yield { data: 'x' };
        await wait(50, undefined, { signal });
      }
    })(),
  }),
});
`;
