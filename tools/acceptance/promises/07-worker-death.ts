import { setTimeout as wait } from 'node:timers/promises';
import { toFigure } from '../../benchmark/src/figure.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { waitedMs, watchStalls } from '../src/promises/stall-watch.ts';
import { livingWorkers, workersServed } from '../src/promises/worker-lines.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';

const workers = 3;

export const promise = definePromise({
  number: 7,
  title: 'A killed worker is replaced',
  done: 'One of three workers is killed with SIGKILL, again and again, while clients send requests on new connections',
  excludes: 'time in which the primary, the new worker or the client waited for the CPU',
  target: 'replaced within 2 s',
  runsAlone: 'at full scale',
  async run({ byScale, say, atEnd }) {
    const kills = byScale({ ci: 5, full: 40 });
    const settings = { workers, log_sample_every: 100_000 };
    const gateway = await spawnGateway({ settings, endpoints: [fixedEndpoint('here')] }, atEnd);
    const stalls = watchStalls([gateway.child.pid as number, process.pid], atEnd);
    let slowestMs = 0;
    let [asked, failed] = [0, 0];
    let isEnding = false;
    let killedMs = Number.NEGATIVE_INFINITY;
    let firstFault: string | undefined;
    const ask = async () => {
      while (!isEnding) {
        const startedMs = performance.now();
        const { status, fault } = await askOnce(`${gateway.url}/answer`, { headers: { Connection: 'close' } });
        asked++;
        // Leaves CPU for the worker that starts.
        await wait(5);
        // Requests that the killed worker had accepted fail at once; no other request may fail.
        if (status === 200 || (fault === 'ECONNRESET' && startedMs - killedMs < 50)) continue;
        failed++;
        firstFault ??= fault ?? String(status);
      }
    };
    const asking = Promise.all(Array.from({ length: 3 }, ask));
    atEnd(async () => {
      isEnding = true;
      await asking;
    });
    for (let i = 0; i < kills; i++) {
      const served = workersServed(gateway);
      const victim = livingWorkers(gateway)[0] as number;
      // A worker that ends soon after its start is restarted with a delay, which this trial does not measure.
      await wait(2_000);
      killedMs = performance.now();
      process.kill(victim, 'SIGKILL');
      const isBack = () => workersServed(gateway).length > served.length;
      await pollUntil(isBack, { withinMs: 30_000, everyMs: 5, describe: gateway.output });
      const backMs = stalls.lateMs(killedMs);
      slowestMs = Math.max(slowestMs, backMs - waitedMs(workersServed(gateway).at(-1) as number));
      const isReported = async () => {
        const { text } = await askOnce(`${gateway.url}/health/ready`, { headers: { Connection: 'close' } });
        return JSON.parse(text).dependencies.workers.serving === workers;
      };
      // The other workers learn of it after the log line.
      await pollUntil(isReported, { withinMs: 20_000, everyMs: 10, describe: gateway.output });
      if (i % 10 === 9) say(`${i + 1} kills`);
    }
    isEnding = true;
    await asking;
    return [
      toFigure({ name: 'slowest replacement', unit: 'ms', max: 2_000 }, slowestMs),
      toFigure({ name: 'requests failed at other workers', unit: '', max: 0 }, failed, firstFault),
      toFigure({ name: 'kills', unit: '', min: kills }, workersServed(gateway).length - livingWorkers(gateway).length),
      toFigure({ name: 'requests', unit: '', min: kills }, asked),
    ];
  },
});
