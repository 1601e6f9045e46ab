import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onCore } from './cores.ts';
import { sendAllFor, type TimedResult } from './load.ts';

export interface TimedLoad {
  readonly url: string;
  /** Asked for in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Connections, each with one request at a time. */
  readonly connections: number;
  readonly seconds: number;
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** For people: what makes the load. */
export const loadGenerator = hasWrk ? 'wrk' : 'Node';

/** Sends requests as fast as they are answered, for so long: by wrk where it is there, which takes less of the machine. */
export function sendFor(load: TimedLoad): Promise<TimedResult> {
  return hasWrk ? sendByWrk(load) : sendAllFor(load);
}

async function sendByWrk({ url, paths, headers, connections, seconds }: TimedLoad): Promise<TimedResult> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const script = join(folder, 'paths.lua');
  try {
    await writeFile(script, createScript(paths));
    const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, ...given, url];
    const [command, ...rest] = onCore('load', ['wrk', ...args]);
    const wrk = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    return readResult(await text(wrk.stdout));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function createScript(paths: readonly string[]): string {
  return `local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local n = 0
request = function()
  n = n % #paths + 1
  return wrk.format("GET", paths[n])
end
done = function(summary, latency)
  local e = summary.errors
  print("sent " .. summary.requests .. " failed " .. e.connect + e.read + e.write + e.status + e.timeout)
  print("took " .. summary.duration .. " p50 " .. latency:percentile(50) .. " p99 " .. latency:percentile(99) .. " p999 " .. latency:percentile(99.9))
end
`;
}

function readResult(said: string): TimedResult {
  const [, sent, failed] = /^sent (\d+) failed (\d+)$/m.exec(said) ?? [];
  const times = /^took ([\d.e+]+) p50 ([\d.e+]+) p99 ([\d.e+]+) p999 ([\d.e+]+)$/m.exec(said);
  if (sent === undefined || times === null) throw new Error(`wrk did not say what it sent:\n${said}`);
  const [tookMs, p50Ms, p99Ms, p999Ms] = times.slice(1).map((us) => Number(us) / 1_000) as [
    number,
    number,
    number,
    number,
  ];
  return {
    sent: Number(sent),
    failed: Number(failed),
    perSecond: (Number(sent) / tookMs) * 1_000,
    p50Ms,
    p99Ms,
    p999Ms,
  };
}
