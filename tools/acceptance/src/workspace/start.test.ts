import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isPortFree, pickFreePorts } from '../../../workspace/free-ports.ts';
import { pollUntil } from '../poll-until.ts';
import { runCommand, startScript } from './start-command.ts';

const run = promisify(execFile);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rostergate-start-'));
  const curl = fileURLToPath(new URL('./curl.ts', import.meta.url));
  await writeFile(join(directory, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${curl}' "$@"\n`, { mode: 0o755 });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test.each(['SIGTERM to the command', 'SIGINT to its group'])(
  'the start command runs all three, its curl lines work, and %s ends everything within 10 s',
  { timeout: 120_000 },
  async (signal) => {
    const local = join(directory, signal);
    const ports = await pickFreePorts(3);
    const [gateway, proxy, scheduling] = ports.map(String) as [string, string, string];
    const command = runCommand(startScript, {
      GATEWAY_PORT: gateway,
      STAFF_PROXY_PORT: proxy,
      SCHEDULING_PORT: scheduling,
      ROSTERGATE_LOCAL_DIR: local,
      ROSTERGATE_CRYPTO_UPSTREAM_URL: inject('servers').env.ROSTERGATE_CRYPTO_UPSTREAM_URL ?? '',
    });
    try {
      await command.waitFor(/^curl .*\/v2\/login.*\n/m);
      const demoFile = join(local, 'demo.env');
      expect((await stat(demoFile)).mode & 0o777).toBe(0o600);
      const lines = command
        .said()
        .split('\n')
        .filter((line) => /^(\. |curl )/.test(line));
      const [crypto, people, login] = await Promise.all(lines.slice(1).map((line) => paste(`${lines[0]}\n${line}`)));
      expect(crypto).toMatchObject({ symbol: 'ETH', source: 'live' });
      expect(people).toEqual([expect.objectContaining({ StaffKey: expect.any(String), Tags: expect.any(Array) })]);
      expect(login).toMatchObject({ token_type: 'bearer', expires_in: '3600' });
    } finally {
      const { pid = 0 } = command.child;
      const startedMs = performance.now();
      if (signal.startsWith('SIGTERM')) process.kill(pid, 'SIGTERM');
      else process.kill(-pid, 'SIGINT');
      expect(await command.ended, command.said()).toBe(0);
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    }
    for (const port of ports) expect(await isPortFree(port), `port ${port}`).toBe(true);
    await pollUntil(async () => (await processesWith(`GATEWAY_PORT=${gateway}`)).length === 0, {
      withinMs: 1_000,
      describe: () => 'a process is left',
    });
  },
);

/** What a shell does with a line; the stand-in for curl comes last, for where there is no real one. */
async function paste(line: string): Promise<unknown> {
  const PATH = [process.env.PATH, directory].join(delimiter);
  const { stdout } = await run('sh', ['-c', line], { env: { ...process.env, PATH } });
  return JSON.parse(stdout);
}

/** Processes that were started with a setting; none where the system does not tell. */
async function processesWith(setting: string): Promise<string[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => {
      const text = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
      return text.split('\0').includes(setting) ? [name] : [];
    });
  return (await Promise.all(found)).flat();
}
