import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AtEnd, createEndings } from '../../at-end.ts';
import { type GatewayProcess, runCommand, startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { livingWorkers } from '../../promises/worker-lines.ts';

const digest = (key: string) => createHash('sha256').update(key).digest('hex');
const entry = (name: string, more: object = {}) => ({ name, owner: 'team', sha256: digest(`key-${name}`), ...more });
const keysFile = JSON.stringify({ keys: [entry('one'), entry('two')] });
const fixed = (answer: string) => ({ path: '/fixed', service: 'static', requires_auth: true, parameters: { answer } });
const broken = "import './missing.ts';\n";

/** A module that waits until the test has written the file `loads`. */
const waiting = `import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
while (!existsSync('loads')) await setTimeout(20);
`;
const slowService = `import { defineService, z } from 'rostergate';
${waiting}export default defineService({
  name: 'slow', summary: 'Slow to load.', parameters: z.object({}), response: z.string(), handle: () => 'slow',
});
`;

function start(settings: object, files: Readonly<Record<string, string>> = {}, atEnd?: AtEnd) {
  const all = { 'keys.json': keysFile, ...files };
  return startGateway({ settings: { ...settings }, endpoints: [fixed('first')], files: all }, atEnd);
}

/**
 * Returns the statuses of requests with this key on separate connections, so that every worker gets some; 0 without a
 * response, because the primary ends a worker that applies an edit late.
 */
async function statusesOf({ url }: GatewayProcess, key: string): Promise<number[]> {
  const ask = () =>
    fetch(`${url}/fixed`, { headers: { 'X-API-Key': key, Connection: 'close' } }).then(
      ({ status }) => status,
      () => 0,
    );
  return Promise.all(Array.from({ length: 12 }, ask));
}

async function allAre(gateway: GatewayProcess, key: string, status: number): Promise<boolean> {
  return (await statusesOf(gateway, key)).every((each) => each === status);
}

const soon = (gateway: GatewayProcess, isDone: () => boolean | Promise<boolean>) =>
  pollUntil(isDone, { withinMs: 20_000, describe: gateway.output });

async function revoke(gateway: GatewayProcess, name: string): Promise<void> {
  expect(await runCommand(['keys', 'revoke', name], { cwd: gateway.folder })).toMatchObject({ exitCode: 0 });
}

/** Resolves when the log after that many lines contains a rejection. */
const rejected = (gateway: GatewayProcess, from = 0) =>
  soon(gateway, () => gateway.log.slice(from).some(({ msg }) => msg?.startsWith('configuration rejected')));

async function breakService(gateway: GatewayProcess): Promise<void> {
  const from = gateway.log.length;
  await gateway.write('services/broken.ts', broken);
  await rejected(gateway, from);
}

/** Restores the first configuration. */
async function restore(gateway: GatewayProcess): Promise<void> {
  await rm(join(gateway.folder, 'services'), { recursive: true, force: true });
  await gateway.write('keys.json', keysFile);
  await gateway.write('endpoints.json', { endpoints: [fixed('first')] });
  const isReady = async () => (await gateway.call('/health/ready')).body.dependencies.configuration.status === 'ready';
  const areValid = async () => (await allAre(gateway, 'key-one', 200)) && (await allAre(gateway, 'key-two', 200));
  await soon(gateway, async () => (await isReady()) && (await areValid()));
  await rm(join(gateway.folder, 'loads'), { force: true });
}

/** Returns whether the gateway is running a trial process for new service code. */
async function isTrying({ child }: GatewayProcess): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,args=']);
  return stdout.split('\n').some((line) => Number.parseInt(line, 10) === child.pid && line.includes('trial-process'));
}

describe.each([1, 2])('with %i workers', (workers) => {
  const { atEnd, end } = createEndings();
  let gateway: GatewayProcess;
  beforeAll(async () => {
    gateway = await start({ workers }, {}, atEnd);
  });
  afterAll(end);

  test('a key is revoked while a service does not load, and no later edit or worker revives it', async () => {
    await breakService(gateway);
    expect(await allAre(gateway, 'key-one', 200)).toBe(true);
    await revoke(gateway, 'one');
    await soon(gateway, () => allAre(gateway, 'key-one', 401));
    expect(await allAre(gateway, 'key-two', 200)).toBe(true);
    const ready = await (await fetch(`${gateway.url}/health/ready`)).json();
    expect(ready).toMatchObject({ dependencies: { configuration: { status: 'degraded' } } });

    if (workers > 1) {
      const killed = livingWorkers(gateway);
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      const others = () => livingWorkers(gateway).filter((pid) => !killed.includes(pid));
      await soon(gateway, () => others().length === workers);
      expect(await allAre(gateway, 'key-one', 401)).toBe(true);
    }
    await rm(join(gateway.folder, 'services'), { recursive: true });
    await gateway.write('endpoints.json', { endpoints: [fixed('second')] });
    const headers = { 'X-API-Key': 'key-two', Connection: 'close' };
    const answer = async () => (await fetch(`${gateway.url}/fixed`, { headers })).json();
    await expect.poll(answer).toBe('second');
    expect(await allAre(gateway, 'key-one', 401)).toBe(true);
    expect(await allAre(gateway, 'key-two', 200)).toBe(true);
  });

  test('a key is revoked during the trial of a service', async () => {
    await restore(gateway);
    const from = gateway.log.length;
    await gateway.write('services/failing.ts', `${waiting}throw new Error('not today');\n`);
    await soon(gateway, () => isTrying(gateway));
    await gateway.write('keys.json', { keys: [entry('one'), entry('two', { revoked_at: '2020-01-01T00:00:00Z' })] });
    await soon(gateway, () => allAre(gateway, 'key-two', 401));
    expect(await isTrying(gateway)).toBe(true);
    await gateway.write('loads', '');
    await rejected(gateway, from);
    expect(await allAre(gateway, 'key-two', 401)).toBe(true);
    expect(await allAre(gateway, 'key-one', 200)).toBe(true);
  });

  test('an edit whose trial began before a revocation does not restore the key', async () => {
    await restore(gateway);
    await gateway.write('services/slow.ts', slowService);
    await soon(gateway, () => isTrying(gateway));
    await gateway.write('keys.json', { keys: [entry('one')] });
    await soon(gateway, () => allAre(gateway, 'key-two', 401));
    expect(await isTrying(gateway)).toBe(true);
    const before = gateway.log.length;
    await gateway.write('loads', '');
    let isAlwaysRejected = true;
    await soon(gateway, async () => {
      isAlwaysRejected &&= !(await statusesOf(gateway, 'key-two')).includes(200);
      return gateway.log.slice(before).some(({ msg, services }) => msg === 'configuration applied' && services === 5);
    });
    expect(isAlwaysRejected && (await allAre(gateway, 'key-two', 401)), gateway.output()).toBe(true);
    expect(await allAre(gateway, 'key-one', 200)).toBe(true);
  });

  test('a keys file with a fault changes nothing, also beside a broken service', async () => {
    await restore(gateway);
    await breakService(gateway);
    const before = gateway.log.length;
    await gateway.write('keys.json', '{ "keys": [');
    await soon(gateway, () => JSON.stringify(gateway.log.slice(before)).includes('keys.json'));
    for (const key of ['key-one', 'key-two']) expect(await allAre(gateway, key, 200)).toBe(true);
    await gateway.write('keys.json', { keys: [entry('two')] });
    await soon(gateway, () => allAre(gateway, 'key-one', 401));
  });

  test('SIGHUP revokes a key with reload_enabled false and a fault in another file', async () => {
    const gateway = await start({ workers, reload_enabled: false });
    await gateway.write('services/broken.ts', broken);
    await revoke(gateway, 'one');
    gateway.child.kill('SIGHUP');
    await soon(gateway, () => allAre(gateway, 'key-one', 401));
    await rejected(gateway);
    expect(await allAre(gateway, 'key-two', 200)).toBe(true);
  });
});

test('a key is removed from the file of api_keys despite a fault in another file', async () => {
  const gateway = await start({ api_keys: './ring.txt' }, { 'ring.txt': 'ring-a\nring-b\n' });
  await gateway.write('endpoints.json', '{ "endpoints": [');
  await rejected(gateway);
  await gateway.write('ring.txt', 'ring-b\n');
  await soon(gateway, () => allAre(gateway, 'ring-a', 401));
  expect(await allAre(gateway, 'ring-b', 200)).toBe(true);
});
