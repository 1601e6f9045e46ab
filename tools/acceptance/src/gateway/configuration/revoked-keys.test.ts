import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type GatewayProcess, runCommand, startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { livingWorkers, workersServed } from '../../promises/worker-lines.ts';

const digest = (key: string) => createHash('sha256').update(key).digest('hex');
const entry = (name: string, more: object = {}) => ({ name, owner: 'team', sha256: digest(`key-${name}`), ...more });
const keysFile = JSON.stringify({ keys: [entry('one'), entry('two')] });
const fixed = (answer: string) => ({ path: '/fixed', service: 'static', requires_auth: true, parameters: { answer } });
const broken = "import './missing.ts';\n";

/** Takes long to load, but not too long. */
const slowService = `import { defineService, z } from 'rostergate';
await new Promise((resolve) => setTimeout(resolve, 4_000));
export default defineService({
  name: 'slow', summary: 'Slow to load.', parameters: z.object({}), response: z.string(), handle: () => 'slow',
});
`;

const start = (settings: object, files: Readonly<Record<string, string>> = {}) =>
  startGateway({ settings: { ...settings }, endpoints: [fixed('first')], files: { 'keys.json': keysFile, ...files } });

/** The statuses of requests with this key, each on a connection of its own: every worker has its share. */
async function statusesOf({ url }: GatewayProcess, key: string): Promise<number[]> {
  const ask = () => fetch(`${url}/fixed`, { headers: { 'X-API-Key': key, Connection: 'close' } });
  return Promise.all(Array.from({ length: 12 }, async () => (await ask()).status));
}

async function allAre(gateway: GatewayProcess, key: string, status: number): Promise<boolean> {
  return (await statusesOf(gateway, key)).every((each) => each === status);
}

const soon = (gateway: GatewayProcess, isDone: () => boolean | Promise<boolean>) =>
  pollUntil(isDone, { withinMs: 20_000, describe: gateway.output });

async function revoke(gateway: GatewayProcess, name: string): Promise<void> {
  expect(await runCommand(['keys', 'revoke', name], { cwd: gateway.folder })).toMatchObject({ exitCode: 0 });
}

async function breakService(gateway: GatewayProcess): Promise<void> {
  await gateway.write('services/broken.ts', broken);
  await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
}

/** Whether the gateway has a process that tries new code of services. */
async function isTrying({ child }: GatewayProcess): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,args=']);
  return stdout.split('\n').some((line) => Number.parseInt(line, 10) === child.pid && line.includes('trial-process'));
}

describe.each([1, 2])('with %i workers', (workers) => {
  test('a key is revoked while a service does not load, and no later edit or worker revives it', async () => {
    const gateway = await start({ workers });
    await breakService(gateway);
    expect(await allAre(gateway, 'key-one', 200)).toBe(true);
    await revoke(gateway, 'one');
    await soon(gateway, () => allAre(gateway, 'key-one', 401));
    expect(await allAre(gateway, 'key-two', 200)).toBe(true);
    const ready = await (await fetch(`${gateway.url}/health/ready`)).json();
    expect(ready).toMatchObject({ dependencies: { configuration: { status: 'degraded' } } });

    if (workers > 1) {
      for (const pid of livingWorkers(gateway)) process.kill(pid, 'SIGKILL');
      await soon(gateway, () => workersServed(gateway).length === 2 * workers);
      expect(await allAre(gateway, 'key-one', 401)).toBe(true);
    }
    await rm(join(gateway.folder, 'services'), { recursive: true });
    await gateway.write('endpoints.json', { endpoints: [fixed('second')] });
    const headers = { 'X-API-Key': 'key-two', Connection: 'close' };
    await soon(gateway, async () => (await (await fetch(`${gateway.url}/fixed`, { headers })).json()) === 'second');
    expect(await allAre(gateway, 'key-one', 401)).toBe(true);
    expect(await allAre(gateway, 'key-two', 200)).toBe(true);
  });

  test('a key is revoked while a service is being tried', async () => {
    const gateway = await start({ workers });
    await gateway.write('services/loop.ts', 'for (;;) {}\n');
    await soon(gateway, () => isTrying(gateway));
    await gateway.write('keys.json', { keys: [entry('one'), entry('two', { revoked_at: '2020-01-01T00:00:00Z' })] });
    await soon(gateway, () => allAre(gateway, 'key-two', 401));
    expect(await isTrying(gateway)).toBe(true);
    await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
    expect(await allAre(gateway, 'key-two', 401)).toBe(true);
    expect(await allAre(gateway, 'key-one', 200)).toBe(true);
  });

  test('an edit that was tried before a key was revoked does not bring the key back', async () => {
    const gateway = await start({ workers });
    await gateway.write('services/slow.ts', slowService);
    await soon(gateway, () => isTrying(gateway));
    await gateway.write('keys.json', { keys: [entry('one')] });
    await soon(gateway, () => allAre(gateway, 'key-two', 401));
    expect(await isTrying(gateway)).toBe(true);
    const before = gateway.log.length;
    let isAlwaysRejected = true;
    await soon(gateway, async () => {
      isAlwaysRejected &&= await allAre(gateway, 'key-two', 401);
      return gateway.log.slice(before).some(({ msg, services }) => msg === 'configuration applied' && services === 5);
    });
    expect(isAlwaysRejected && (await allAre(gateway, 'key-two', 401)), gateway.output()).toBe(true);
    expect(await allAre(gateway, 'key-one', 200)).toBe(true);
  });

  test('SIGHUP revokes a key where files are not watched and another one is at fault', async () => {
    const gateway = await start({ workers, reload_enabled: false });
    await gateway.write('services/broken.ts', broken);
    await revoke(gateway, 'one');
    gateway.child.kill('SIGHUP');
    await soon(gateway, () => allAre(gateway, 'key-one', 401));
    await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
    expect(await allAre(gateway, 'key-two', 200)).toBe(true);
  });
});

test('a key is removed from a file that api_keys names while another file is at fault', async () => {
  const gateway = await start({ api_keys: './ring.txt' }, { 'ring.txt': 'ring-a\nring-b\n' });
  await gateway.write('endpoints.json', '{ "endpoints": [');
  await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
  await gateway.write('ring.txt', 'ring-b\n');
  await soon(gateway, () => allAre(gateway, 'ring-a', 401));
  expect(await allAre(gateway, 'ring-b', 200)).toBe(true);
});

test('a keys file with a fault changes nothing, beside a broken service as well', async () => {
  const gateway = await start({});
  await breakService(gateway);
  const before = gateway.log.length;
  await gateway.write('keys.json', '{ "keys": [');
  await soon(gateway, () => JSON.stringify(gateway.log.slice(before)).includes('keys.json'));
  for (const key of ['key-one', 'key-two']) expect(await allAre(gateway, key, 200)).toBe(true);
  await gateway.write('keys.json', { keys: [entry('two')] });
  await soon(gateway, () => allAre(gateway, 'key-one', 401));
});
