import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function keysFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'staff-proxy-'));
  folders.push(folder);
  const path = join(folder, 'proxy-keys.json');
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['--conditions=source', join(import.meta.dirname, 'main.ts'), ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stderr }));
  return { child, ended };
}

describe('the command', () => {
  test('serves until SIGTERM', async () => {
    const keys_file = await keysFile('{ "accounts": {}, "keys": [] }');
    const { child, ended } = run(['--port', '0'], {
      ROSTERGATE_PROXY_KEYS_FILE: keys_file,
      ROSTERGATE_PROXY_PORT: '1',
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { port } = JSON.parse((await lines.next()).value as string) as { port: number };
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, stderr: '' });
  });

  test.each([
    [
      'the missing default keys file',
      () => [],
      'proxy-keys.json  There is no such file. Write it, or correct keys_file.',
    ],
    ['a missing keys file', () => ['--keys-file', '/nowhere/keys.json'], 'There is no such file.'],
    [
      'a broken keys file',
      async () => ['--keys-file', await keysFile('{\n "accounts": canary }')],
      'proxy-keys.json:2:',
    ],
    ['a setting out of bounds', () => ['--keys-file', 'k', '--port', '70000'], 'option --port'],
    ['a missing settings file', () => ['--settings', '/nowhere/x.json'], 'correct the path'],
  ])('reports how to fix %s in one line', async (_case, args, message) => {
    const { code, stderr } = await run(await args()).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/canary|\n\s+at /);
  });

  test('lists every setting in its help', async () => {
    const { child, ended } = run(['serve', '--help']);
    let help = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      help += text;
    });
    expect(await ended).toEqual({ code: 0, stderr: '' });
    expect(help).toContain('--rate-limit-per-minute-authenticated <number>');
  });
});
