import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { cpuMs } from '../../workspace/cpu-costs.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { pauseOf, type Work, workFor } from '../src/promises/hostile/server-work.ts';
import { startWatchedServers } from '../src/promises/hostile/watched-servers.ts';
import { wrongBodies } from '../src/promises/hostile/wrong-bodies.ts';

/** The cost of a request apart from its body. */
const requestMs = 25;
/** The growth of a heap before it is collected. */
const uncollectedBytes = 128 * 1024 * 1024;

export const promise = definePromise({
  number: 33,
  title: 'Error reports are bounded',
  done: 'Bodies of 1 KiB to 10 MiB in which everything is wrong; measured are the listed errors, the length of the response, the pause of the event loop and peak memory',
  excludes:
    'all but the fastest of two measurements of each pause, one in CI, twelve of one that seems too long: other programs only lengthen one',
  target:
    'at most 20 errors and 16 KiB; pause at most 25 ms + 3 × JSON.parse; memory at most 4 × the body, beside what JSON.parse itself takes (up to 21 × the body, for empty objects) and 128 MiB that may stay uncollected',
  runsAlone: 'at full scale',
  async run({ atEnd, byScale, say }) {
    const sizes = [1_000, 8_000, 64_000, 1_000_000, 10_000_000].slice(0, byScale({ ci: 4, full: 5 }));
    const { all } = await startWatchedServers(atEnd);
    const figures: Figure[] = [];
    const failures: string[] = [];
    let requests = 0;
    for (const server of all) {
      const worst = { errors: [0, ''], bytes: [0, ''], pause: [0, ''], memory: [0, ''] } as Record<
        string,
        [number, string]
      >;
      const note = (name: string, value: number, what: string) => {
        if (value > (worst[name] as [number, string])[0]) worst[name] = [value, what];
      };
      const cases = wrongBodies(server.name);
      // The first requests load and compile code, which is not measured.
      for (const { request } of cases) await workFor(server, request(1_000));
      for (const { name, request, isParsed } of cases) {
        for (const size of sizes) {
          const what = `${name}, ${size} bytes`;
          const sent = request(size);
          const bytes = sent.body?.length ?? 0;
          const pid = server.child.pid as number;
          const before = resetPeak(pid);
          await workFor(server, sent);
          const grownBytes = peakOf(pid) - before - uncollectedBytes;
          const parsed = isParsed ? parse(sent.body ?? '') : { ms: 0, bytes: 0 };
          note('memory', (grownBytes - parsed.bytes) / bytes, what);
          const pauseMsMax = requestMs + 3 * parsed.ms;
          const work = await pauseOf(server, sent, byScale({ ci: 1, full: 2 }), pauseMsMax);
          requests++;
          if (work.status < 400 || work.status >= 500) failures.push(`${what} at the ${server.name}: ${work.status}`);
          const { errors, length } = read(work);
          note('errors', errors, what);
          note('bytes', length, what);
          note('pause', work.ms / pauseMsMax, `${what}: ${work.ms.toFixed(0)} ms`);
        }
      }
      say(`${server.name}: ${JSON.stringify(worst)}`);
      const toWorstFigure = (name: string, max: number, unit: string, title: string) =>
        toFigure({ name: `${title} at the ${server.name}`, unit, max }, ...(worst[name] as [number, string]));
      figures.push(
        toWorstFigure('errors', 20, '', 'errors listed'),
        toWorstFigure('bytes', 16 * 1024, 'bytes', 'longest response'),
        toWorstFigure('pause', 1, '×', 'pause, of its limit'),
        toWorstFigure('memory', 4, '×', 'memory beside the parsed body, of the body'),
      );
    }
    return [
      ...figures,
      toFigure({ name: 'requests failed', unit: '', max: 0 }, failures.length, failures.slice(0, 3).join('; ')),
      toFigure({ name: 'requests', unit: '', min: 100 }, requests),
    ];
  },
});

function read({ text }: Work): { readonly errors: number; readonly length: number } {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const [json = ''] = /\{[\s\S]*\}/.exec(body) ?? [];
  try {
    const { errors } = JSON.parse(json) as { errors?: readonly unknown[] };
    return { errors: errors?.length ?? 0, length: body.length };
  } catch {
    return { errors: 0, length: body.length };
  }
}

/**
 * Parses the body in this process; returns the time of a round, and the most memory of one. A mean over many rounds,
 * since the clock may count in steps of 4 ms.
 */
function parse(body: string): { readonly ms: number; readonly bytes: number } {
  const text = Buffer.from(body, 'latin1').toString('utf8');
  let [ms, bytes, rounds] = [0, 0, 0];
  for (; rounds < 3 || (ms < 40 && rounds < 40); rounds++) {
    const { heapUsed } = process.memoryUsage();
    let value: unknown;
    ms += cpuMs(() => {
      value = JSON.parse(text);
    });
    bytes = Math.max(bytes, process.memoryUsage().heapUsed - heapUsed);
    if (typeof value !== 'object') throw new Error('A body must be a list or an object.');
  }
  return { ms: ms / rounds, bytes };
}

/** Resets the peak memory of a process; returns its current memory. */
function resetPeak(pid: number): number {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Only Linux has this figure; nothing is measured elsewhere.
  }
  return statusBytes(pid, 'VmRSS');
}

const peakOf = (pid: number) => statusBytes(pid, 'VmHWM');

function statusBytes(pid: number, name: string): number {
  try {
    const [, kilobytes] =
      new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
