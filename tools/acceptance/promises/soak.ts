import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { countApplied } from '../src/promises/live-edits.ts';
import { type Resources, readCollectedResources } from '../src/promises/read-resources.ts';
import { growthOf, p99sOf, type Sample, slowdownOf, trendOf } from '../src/promises/soak/flatness.ts';
import { startPacedLoad } from '../src/promises/soak/paced-load.ts';
import { createSoakCallers } from '../src/promises/soak/soak-callers.ts';
import { startSoakServers } from '../src/promises/soak/soak-servers.ts';
import { watchStalls } from '../src/promises/stall-watch.ts';
import type { ServerProcess } from '../src/server-process.ts';

const mebibyte = 1024 * 1024;
const reloadEveryMs = 1_000;
const nothing: Resources = { files: 0, resources: 0, heapBytes: 0 };

export const promise = definePromise({
  number: 'soak',
  title: 'Nothing grows over time',
  done: 'A mixed load of reads, writes, streams and rejected requests on all servers, with a reload every second; the last quarter is compared with the second',
  excludes: 'time in which the server or the client waited for the CPU, in p99 only',
  target: '20 minutes: memory, handles and p99 flat',
  runsAlone: 'at full scale',
  async run({ byScale, random, atEnd, say }) {
    const lastsMs = byScale({ ci: 60_000, full: 1_200_000 });
    const sampleEveryMs = byScale({ ci: 2_500, full: 20_000 });
    const servers = await startSoakServers(atEnd);
    const { gateway, proxy, scheduling, bare: bareServer, edit } = servers;
    const watched = { gateway, 'staff-proxy': proxy, scheduling };
    const samples: Readonly<Record<string, Sample<keyof Resources>[]>> = Object.fromEntries(
      [...Object.keys(watched), 'bare'].map((name) => [name, []]),
    );
    const clocks = Object.fromEntries(
      Object.entries({
        ...{ gateway: [gateway, bareServer], 'staff-proxy': [proxy, scheduling], scheduling: [scheduling] },
        bare: [bareServer],
      }).map(([name, those]) => [name, createOwnClock(those, atEnd)]),
    );
    const load = startPacedLoad(await createSoakCallers(servers), {
      atEnd,
      random,
      clockOf: (name) => clocks[name] as () => number,
    });
    const startedMs = performance.now();
    let edits = 0;
    let editing = Promise.resolve();
    const reloading = setInterval(() => {
      editing = editing.then(() => edit(++edits));
    }, reloadEveryMs);
    atEnd(async () => clearInterval(reloading));
    for (let n = 1; performance.now() < startedMs + lastsMs; n++) {
      await wait(sampleEveryMs);
      // Without requests and garbage, the resources do not depend on the load of the machine.
      await load.pause();
      const times = load.takeTimes();
      const atMs = performance.now() - startedMs;
      for (const [name, all] of Object.entries(samples)) {
        const server = watched[name as keyof typeof watched] as (typeof watched)[keyof typeof watched] | undefined;
        const held = server === undefined ? nothing : await readCollectedResources(server);
        all.push({ atMs, held, timesMs: times.get(name) ?? [] });
      }
      load.resume();
      if (n % 6 === 0) say(`${Math.round(atMs / 1_000)} s, ${load.responses} responses`);
    }
    clearInterval(reloading);
    await editing;
    await load.pause();
    const applied = [gateway, proxy].map(countApplied);
    const bare = p99sOf(samples.bare ?? []);
    return [
      toFigure({ name: 'requests failed', unit: '', max: 0 }, load.failures.length, load.failures[0]),
      toFigure({ name: 'responses', unit: '', min: lastsMs / 500 }, load.responses),
      // On a busy machine one reload can apply several edits.
      toFigure({ name: 'reloads', unit: '', min: lastsMs / reloadEveryMs / 4 }, Math.min(...applied)),
      ...Object.keys(watched).flatMap((name): Figure[] => {
        const all = samples[name] ?? [];
        const times = p99sOf(all);
        const heap = all.map(({ held }) => (held.heapBytes / mebibyte).toFixed(1)).join(' ');
        const p99s = `${times.earlyMs.toFixed(1)} to ${times.lateMs.toFixed(1)} ms, bare ${bare.earlyMs.toFixed(1)} to ${bare.lateMs.toFixed(1)} ms`;
        say(`${name}: heap ${heap} MiB; p99 ${p99s}`);
        return [
          toFigure({ name: `more files at the ${name}`, unit: '', max: 4 }, growthOf(all, 'files')),
          toFigure({ name: 'more handles and timers', unit: '', max: 4 }, growthOf(all, 'resources')),
          toFigure(
            { name: 'more heap', unit: 'MiB', max: byScale({ ci: 2, full: 4 }) },
            trendOf(all, 'heapBytes') / mebibyte,
            heap,
          ),
          toFigure({ name: 'p99', unit: 'ms', max: 100 }, times.lateMs),
          toFigure({ name: 'p99 growth', unit: '×', max: byScale({ ci: 8, full: 2 }) }, slowdownOf(times, bare), p99s),
        ];
      }),
    ];
  },
});

/** Returns a clock that excludes the time that the processes waited for the CPU. */
function createOwnClock(servers: readonly ServerProcess[], atEnd: AtEnd): () => number {
  const stalls = watchStalls([process.pid, ...servers.map(({ child }) => child.pid as number)], atEnd);
  return () => performance.now() - stalls.stalledMs();
}
