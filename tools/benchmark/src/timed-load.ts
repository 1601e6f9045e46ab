import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onCore } from './cores.ts';
import { type LoadResult, sendAllFor } from './load.ts';

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
export function sendFor(load: TimedLoad): Promise<LoadResult> {
  return hasWrk ? sendByWrk(load) : sendAllFor(load);
}

async function sendByWrk({ url, paths, headers, connections, seconds }: TimedLoad): Promise<LoadResult> {
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
done = function(summary)
  local e = summary.errors
  print("sent " .. summary.requests .. " failed " .. e.connect + e.read + e.write + e.status + e.timeout)
end
`;
}

function readResult(said: string): LoadResult {
  const [, sent, failed] = /^sent (\d+) failed (\d+)$/m.exec(said) ?? [];
  if (sent === undefined) throw new Error(`wrk did not say what it sent:\n${said}`);
  return { sent: Number(sent), failed: Number(failed) };
}
