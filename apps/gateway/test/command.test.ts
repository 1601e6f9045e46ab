import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Runs the command to its end; a server that starts instead is ended after a while and leaves no code. */
function run(...args: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const main = join(import.meta.dirname, '../src/main.ts');
  const env = { PATH: process.env.PATH, ROSTERGATE_PORT: '0' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=source', main, ...args],
      { env, timeout: 10_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

it('lists an option for each setting instead of starting a server', async () => {
  const { code, stdout } = await run('serve', '--help');
  expect(code).toBe(0);
  expect(stdout).toContain('--rate-limit-per-minute <number>');
});

it('refuses an option that does not exist', async () => {
  const { code, stderr } = await run('serve', '--settings', 'other.json');
  expect(code).toBe(2);
  expect(stderr).toContain("unknown option '--settings'");
});

it('names the option whose value is wrong', async () => {
  const { code, stderr } = await run('serve', '--port', 'x');
  expect(code).toBe(1);
  expect(stderr).toContain('option --port');
});
