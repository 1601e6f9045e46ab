import { rename, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createEndings } from '../at-end.ts';
import { pollUntil } from '../poll-until.ts';
import { readResources } from '../promises/read-resources.ts';
import {
  digestOf,
  keys,
  passwords,
  type StandInProxy,
  startStandInProxy,
  startUpstream,
  usualKeysFile,
  withAdminKey,
  withKey,
} from './stand-in-proxy.ts';

interface Configuration {
  readonly status: string;
  readonly reason?: string;
}

/** Returns the readiness of the configuration. */
async function configurationOf({ url }: StandInProxy): Promise<Configuration> {
  const response = await fetch(`${url}/health/ready`);
  return ((await response.json()) as { dependencies: { configuration: Configuration } }).dependencies.configuration;
}

const statusOf = async (proxy: StandInProxy, key: string, path = '/v2/staffmember') =>
  (await proxy.call(path, { headers: { 'X-API-Key': key } })).status;

describe('an edit of settings and keys', () => {
  test('fails no request under concurrent edits', async () => {
    const proxy = await startStandInProxy({ settings: { log_sample_every: 10_000 } });
    let isEnough = false;
    const statuses: Record<string, number> = {};
    const ask = async () => {
      while (!isEnough) {
        const outcome = await fetch(`${proxy.url}/v2/staffmember`, withKey).then(
          async (response) => `${response.status} ${await response.text()}`,
          (error: Error) => error.message,
        );
        statuses[outcome] = (statuses[outcome] ?? 0) + 1;
        // The edits need CPU too.
        await wait(10);
      }
    };
    const load = Promise.all(Array.from({ length: 8 }, ask));
    const heldNow = async () => {
      const { files, resources } = await readResources(proxy.url);
      return files + resources;
    };
    let held = 0;
    for (let i = 0; i < 40; i++) {
      const extra = { name: `extra-${i}`, owner: 'team', sha256: digestOf(`extra-${i}`), account: 'reader' };
      await proxy.write('proxy-keys.json', { ...usualKeysFile, keys: [...usualKeysFile.keys, extra] });
      await proxy.writeSettings({ upstream_timeout_ms: 10_000 + i, cors_max_age_seconds: i });
      await pollUntil(async () => (await statusOf(proxy, `extra-${i}`)) === 200, {
        withinMs: 10_000,
        describe: proxy.output,
      });
      if (i === 19) held = await heldNow();
    }
    // Files, sockets and timers are the same after twenty and forty edits; a busy machine ends those of an edit later.
    await expect.poll(heldNow).toBeLessThanOrEqual(held + 16);
    isEnough = true;
    await load;
    expect(Object.keys(statuses)).toEqual(['200 []']);
    expect(statuses['200 []']).toBeGreaterThan(100);
    // The account and the upstream stayed the same, so one login served all requests.
    expect(proxy.upstream.logins).toHaveLength(1);
  });

  test('leaves a request in progress on its configuration', async () => {
    const proxy = await startStandInProxy();
    const other = await startUpstream();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<ServerResponse>();
    proxy.upstream.answers.push((res) => arrive(res));
    const slow = fetch(`${proxy.url}/v2/staffmember`, withKey);
    const held = await arrived;
    await proxy.applied(() => proxy.writeSettings({ upstream_url: other.url, enable_docs: false }));
    expect((await proxy.call('/v2/staffmember', withKey)).status).toBe(200);
    expect([other.seen.length, proxy.upstream.seen.length]).toEqual([1, 1]);
    held.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"FirstName":"Old"}]');
    expect(await (await slow).json()).toEqual([{ FirstName: 'Old' }]);
    expect((await fetch(`${proxy.url}/docs`)).status).toBe(404);
  });

  const { atEnd, end } = createEndings();
  afterAll(end);
  let corrected: Promise<StandInProxy> | undefined;

  test.each([
    ['a settings file that breaks off', 'staff-proxy.json', '{ "port": '],
    ['an unknown setting', 'staff-proxy.json', '{ "upstream_ulr": "canary" }'],
    ['a keys file that breaks off', 'proxy-keys.json', '{ "accounts": { "canary'],
    ['an empty keys file', 'proxy-keys.json', ''],
    ['a key of an account that is not there', 'proxy-keys.json', keysOf({ account: 'raeder' })],
    [
      'a key with an operation that is not there',
      'proxy-keys.json',
      keysOf({ operations: { deny: ['listStaffMember'] } }),
    ],
    ['an account without a password', 'proxy-keys.json', { accounts: { a: { email: 'e', company_key: 'c' } } }],
  ])('with a fault changes nothing and shows in readiness: %s', async (_case, file, content) => {
    // Each case ends with a valid configuration.
    corrected ??= startStandInProxy({}, atEnd);
    const proxy = await corrected;
    const before = await configurationOf(proxy);
    expect(before.status).toBe('ready');
    const good = file === 'staff-proxy.json' ? undefined : usualKeysFile;
    const edits = proxy.log.length;
    await proxy.write(file, content);
    await proxy.logged((line) => proxy.log.indexOf(line) >= edits && line.msg?.includes('rejected') === true);
    expect(await statusOf(proxy, keys.reader)).toBe(200);
    const degraded = await configurationOf(proxy);
    expect(degraded).toMatchObject({ status: 'degraded', reason: expect.stringContaining(file) });
    expect((await fetch(`${proxy.url}/health/ready`)).status).toBe(200);
    expect(JSON.stringify(degraded) + proxy.output()).not.toMatch(/canary/);
    await (good === undefined ? proxy.writeSettings({}) : proxy.write(file, good));
    await pollUntil(async () => (await configurationOf(proxy)).status === 'ready', {
      withinMs: 10_000,
      describe: proxy.output,
    });
  });

  test('revokes a key and its tokens at once; others stay', async () => {
    const proxy = await startStandInProxy();
    const tokenOf = async (email: string, password: string) =>
      (await proxy.call('/v2/login', { method: 'POST', json: { email, password } })).body.access_token as string;
    const [desk, ops] = [await tokenOf('desk', keys.reader), await tokenOf('ops', keys.admin)];
    const asked = async (token: string) =>
      (await proxy.call('/v2/staffmember', { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([await asked(desk), await asked(ops)]).toEqual([200, 200]);
    const [kept] = usualKeysFile.keys;
    await proxy.applied(() => proxy.write('proxy-keys.json', { ...usualKeysFile, keys: [kept] }));
    expect([await asked(desk), await asked(ops), await statusOf(proxy, keys.reader)]).toEqual([401, 200, 401]);
  });

  test('revokes a key despite invalid settings, and the next valid edit does not restore it', async () => {
    const proxy = await startStandInProxy();
    const edits = proxy.log.length;
    await proxy.write('staff-proxy.json', '{ "port": ');
    await proxy.logged((line) => proxy.log.indexOf(line) >= edits && line.msg?.includes('rejected') === true);
    const [kept] = usualKeysFile.keys;
    await proxy.write('proxy-keys.json', { ...usualKeysFile, keys: [kept] });
    await pollUntil(async () => (await statusOf(proxy, keys.reader)) === 401, {
      withinMs: 10_000,
      describe: proxy.output,
    });
    expect(await configurationOf(proxy)).toMatchObject({ status: 'degraded' });
    await proxy.writeSettings({ enable_docs: false });
    await expect.poll(async () => (await fetch(`${proxy.url}/docs`)).status, { timeout: 10_000 }).toBe(404);
    expect([await statusOf(proxy, keys.admin), await statusOf(proxy, keys.reader)]).toEqual([200, 401]);
  });

  test('logs an account in again after a change of its password in any place', async () => {
    const { reader, admin } = usualKeysFile.accounts;
    const elsewhere = (more: object) => ({
      ...usualKeysFile,
      accounts: { admin, reader: { email: reader.email, company_key: 'C-1', ...more } },
    });
    const proxy = await startStandInProxy({
      keysFile: elsewhere({ password_file: 'reader.password' }),
      files: { 'reader.password': 'canary-wrong' },
      env: { READER_PASSWORD: passwords.reader },
    });
    expect(await statusOf(proxy, keys.reader)).toBe(502);
    await proxy.applied(() => proxy.write('reader.password', `${passwords.reader}\n`));
    expect(await statusOf(proxy, keys.reader)).toBe(200);
    expect(proxy.upstream.logins).toHaveLength(2);
    const fromEnvironment = elsewhere({ password_env: 'READER_PASSWORD' });
    await proxy.applied(() => proxy.write('proxy-keys.json', fromEnvironment));
    expect(await statusOf(proxy, keys.reader)).toBe(200);
    // The same password from another place is the same account, which does not log in again.
    expect(proxy.upstream.logins).toHaveLength(2);
    expect(proxy.output()).not.toContain('canary');
  });

  test('keeps the counts of the limits', async () => {
    const limited = { rate_limit_enabled: true, rate_limit_per_minute_authenticated: 3 };
    const proxy = await startStandInProxy({ settings: limited });
    for (let i = 0; i < 3; i++) expect(await statusOf(proxy, keys.reader)).toBe(200);
    await proxy.applied(() => proxy.writeSettings({ ...limited, enable_docs: false }));
    expect(await statusOf(proxy, keys.reader)).toBe(429);
    const wider = { ...limited, rate_limit_per_minute_authenticated: 4 };
    await proxy.applied(() => proxy.writeSettings(wider));
    expect([await statusOf(proxy, keys.reader), await statusOf(proxy, keys.reader)]).toEqual([200, 429]);
  });

  test('of a restart-required setting is logged, and the other changes apply', async () => {
    const proxy = await startStandInProxy();
    await proxy.writeSettings({ port: 1, host: '127.0.0.2', enable_docs: false });
    const { settings } = await proxy.logged(({ msg }) => msg === 'takes effect at the next start');
    expect(settings).toEqual(['host']);
    await expect.poll(async () => (await fetch(`${proxy.url}/docs`)).status).toBe(404);
  });

  test('made by renaming a new file over the old one is noticed', async () => {
    const proxy = await startStandInProxy();
    const path = join(proxy.folder, 'proxy-keys.json');
    const [, kept] = usualKeysFile.keys;
    const edit = async () => {
      await writeFile(`${path}.new`, JSON.stringify({ ...usualKeysFile, keys: [kept] }), { mode: 0o600 });
      await rename(`${path}.new`, path);
    };
    await proxy.applied(edit);
    expect([await statusOf(proxy, keys.admin), await statusOf(proxy, keys.reader)]).toEqual([401, 200]);
  });
});

test('setting reload_enabled: false applies edits at SIGHUP', async () => {
  const proxy = await startStandInProxy({ settings: { reload_enabled: false } });
  await proxy.writeSettings({ reload_enabled: false, enable_redoc: false });
  // Longer than the detection of an edit takes with reload_enabled true.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await fetch(`${proxy.url}/redoc`)).status).toBe(200);
  proxy.child.kill('SIGHUP');
  await proxy.logged(({ msg, trigger }) => msg === 'configuration applied' && trigger === 'SIGHUP');
  expect((await fetch(`${proxy.url}/redoc`)).status).toBe(404);
  expect((await proxy.call('/v2/staffmember', withAdminKey)).status).toBe(200);
});

test('SIGHUP revokes a key with reload_enabled false and invalid settings', async () => {
  const proxy = await startStandInProxy({ settings: { reload_enabled: false } });
  await proxy.write('staff-proxy.json', '{ "port": ');
  await proxy.write('proxy-keys.json', { ...usualKeysFile, keys: usualKeysFile.keys.slice(0, 1) });
  proxy.child.kill('SIGHUP');
  await pollUntil(async () => (await statusOf(proxy, keys.reader)) === 401, {
    withinMs: 10_000,
    describe: proxy.output,
  });
  expect(await statusOf(proxy, keys.admin)).toBe(200);
});

/** The usual keys with one changed. */
function keysOf(more: object): object {
  return { ...usualKeysFile, keys: [{ ...usualKeysFile.keys[1], ...more }] };
}
