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
  'the start command runs all three servers, its curl line works, and %s ends everything within 10 s',
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
      await command.waitFor(/^\. .* && curl .*\n/m);
      const demoFile = join(local, 'demo.env');
      expect((await stat(demoFile)).mode & 0o777).toBe(0o600);
      const [line = '', ...others] = command
        .output()
        .split('\n')
        .filter((each) => /^(\. |curl )/.test(each));
      expect(others).toEqual([]);
      const withCredentials = (rest: string) => paste(`. '${demoFile}'\n${rest}`);
      const crypto = () =>
        withCredentials(`curl -sS -H "X-API-Key: $GATEWAY_KEY" 'http://127.0.0.1:${gateway}/api/crypto?symbol=ETH'`);
      const [names, people, login] = await Promise.all([
        paste(line),
        withCredentials(
          `curl -sSG -H "X-API-Key: $STAFF_PROXY_ADMIN_KEY" http://127.0.0.1:${proxy}/v2/staffmember -d "companyKey=$COMPANY_KEY" -d '$top=1' -d '$expand=Tags'`,
        ),
        withCredentials(
          `curl -sS http://127.0.0.1:${scheduling}/v2/login -d "email=$SCHEDULING_EMAIL" -d "password=$SCHEDULING_PASSWORD"`,
        ),
      ]);
      const name = { FirstName: expect.any(String), LastName: expect.any(String) };
      expect(names).toEqual([name, name]);
      // While the ticker service is late, the figures are those of the snapshot.
      await expect.poll(crypto).toMatchObject({ symbol: 'ETH', source: 'live' });
      expect(people).toEqual([expect.objectContaining({ StaffKey: expect.any(String), Tags: expect.any(Array) })]);
      expect(login).toMatchObject({ token_type: 'bearer', expires_in: '3600' });
    } finally {
      const { pid = 0 } = command.child;
      const startedMs = performance.now();
      if (signal.startsWith('SIGTERM')) process.kill(pid, 'SIGTERM');
      else process.kill(-pid, 'SIGINT');
      expect(await command.ended, command.output()).toBe(0);
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    }
    for (const port of ports) expect(await isPortFree(port), `port ${port}`).toBe(true);
    await pollUntil(async () => (await processesWith(`GATEWAY_PORT=${gateway}`)).length === 0, {
      withinMs: 15_000,
      describe: () => 'a process is left',
    });
  },
);

/** Runs lines in a shell; the stand-in for curl is last in PATH, for machines without curl. */
async function paste(line: string): Promise<unknown> {
  const PATH = [process.env.PATH, directory].join(delimiter);
  const { stdout } = await run('sh', ['-c', line], { env: { ...process.env, PATH } });
  return JSON.parse(stdout);
}

/** Returns the processes that were started with a setting; none on systems without /proc. */
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
