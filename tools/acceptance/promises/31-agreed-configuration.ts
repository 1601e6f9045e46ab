import { setTimeout as wait } from 'node:timers/promises';
import { toFigure } from '../../benchmark/src/figure.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askOnce } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { waitedMs, watchStalls } from '../src/promises/stall-watch.ts';
import { livingWorkers, workersServed } from '../src/promises/worker-lines.ts';
import { type SpawnedGateway, spawnGateway } from '../src/spawn-gateway.ts';

const workers = 2;

/** Edits on disk that are not applied. */
const edits: readonly ((gateway: SpawnedGateway) => Promise<void>)[] = [
  (gateway) => gateway.write('endpoints.json', '{ "endpoints": ['),
  (gateway) => gateway.write('settings.json', { workers: 'many' }),
  (gateway) => gateway.write('services/broken.ts', 'export default {'),
];

export const promise = definePromise({
  number: 31,
  title: 'A replaced worker serves the agreed configuration',
  done: 'All workers are killed at once with SIGKILL, again and again, with invalid files on disk and, with reload_enabled false, with an edit that waits',
  excludes: 'time in which the primary, a new worker or the client waited for the CPU',
  target: 'replaced within 2 s, 0 wrong, the primary never exits',
  runsAlone: 'at full scale',
  async run({ byScale, say, atEnd }) {
    const kills = byScale({ ci: 6, full: 100 });
    const settings = { workers, log_sample_every: 100_000 };
    const start = (more: object) =>
      spawnGateway({ settings: { ...settings, ...more }, endpoints: [fixedEndpoint('agreed')] }, atEnd);
    const rejecting = await start({});
    const staging = await start({ reload_enabled: false });
    await staging.write('endpoints.json', { endpoints: [fixedEndpoint('staged')] });
    const primaries = [rejecting, staging].map(({ child }) => child.pid as number);
    const stalls = watchStalls([...primaries, process.pid], atEnd);
    let slowestMs = 0;
    let [wrong, asked] = [0, 0];
    let firstFault: string | undefined;
    for (let i = 0; i < kills; i++) {
      const gateway = i % 2 === 0 ? rejecting : staging;
      if (gateway === rejecting) await edits[(i / 2) % edits.length]?.(gateway);
      const before = workersServed(gateway).length;
      const killedMs = performance.now();
      for (const pid of livingWorkers(gateway)) process.kill(pid, 'SIGKILL');
      const isBack = () => workersServed(gateway).length >= before + workers;
      await pollUntil(isBack, { withinMs: 30_000, everyMs: 5, describe: gateway.output });
      const waited = Math.max(...livingWorkers(gateway).map(waitedMs));
      slowestMs = Math.max(slowestMs, stalls.lateMs(killedMs) - waited);
      for (let n = 0; n < 10; n++) {
        const { status, text, fault } = await askOnce(`${gateway.url}/answer`, { headers: { Connection: 'close' } });
        asked++;
        if (status === 200 && text === '"agreed"') continue;
        wrong++;
        firstFault ??= fault ?? `${status} ${text}`;
      }
      await wait(50);
      if (i % 10 === 9) say(`${i + 1} kills of all workers`);
    }
    const exited = [rejecting, staging].filter(({ child }) => child.exitCode !== null).length;
    return [
      toFigure({ name: 'slowest replacement', unit: 'ms', max: 2_000 }, slowestMs),
      toFigure({ name: 'wrong responses', unit: '', max: 0 }, wrong, firstFault),
      toFigure({ name: 'primaries that exited', unit: '', max: 0 }, exited),
      toFigure({ name: 'requests', unit: '', min: 10 * kills }, asked),
    ];
  },
});
