import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCore } from './cores.ts';
import { type SteadyLoad, sendAllFor, type TimedLoad, type TimedResult } from './load.ts';

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** The name of the load generator, for people. */
export const loadGenerator = hasWrk ? 'wrk' : 'Node';

/** Sends requests back to back for a time; with wrk where installed, which uses less CPU. */
export function sendFor(load: TimedLoad): Promise<TimedResult> {
  return hasWrk ? sendByWrk(load) : sendAllFor(load);
}

/** Sends requests at a steady rate for a time, without waiting for responses, from its own process. */
export async function sendSteadily(load: SteadyLoad): Promise<TimedResult> {
  const program = fileURLToPath(new URL('./steady-load.ts', import.meta.url));
  const [command, ...args] = onCore('load', [process.execPath, program, JSON.stringify(load)]);
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout) as TimedResult;
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

function readResult(output: string): TimedResult {
  const [, sent, failed] = /^sent (\d+) failed (\d+)$/m.exec(output) ?? [];
  const times = /^took ([\d.e+]+) p50 ([\d.e+]+) p99 ([\d.e+]+) p999 ([\d.e+]+)$/m.exec(output);
  if (sent === undefined || times === null) throw new Error(`The output of wrk lacks its summary:\n${output}`);
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
