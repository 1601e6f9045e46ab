import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandFailure } from '@rostergate/config/command';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRemoteKeys, type RemoteKeysLimits } from './remote-keys.ts';

const usual = { pagesMax: 3, bytesMax: 10_000, withinMs: 30_000 };
const app = {
  ...{ name: 'app', owner: 'acme', prefix: 'rg_live_7Qx', scopes: [], state: 'active' },
  ...{ created_at: null, expires_at: null, revoked_at: null },
};

/** Returns the keys of a server that responds in any way, and the paths of its requests. */
async function keysOf(respond: (response: ServerResponse) => void, limits: Partial<RemoteKeysLimits> = {}) {
  const paths: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    response.setHeader('Content-Type', 'application/json');
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { keys: await createRemoteKeys({ url, key: 'k', limits: { ...usual, ...limits } }), paths };
}

describe('the keys of a server that is no admin API', () => {
  it('ends after a number of pages', async () => {
    const { keys, paths } = await keysOf((response) => response.end(JSON.stringify({ keys: [app], next: 'app' })));
    await expect(keys.list()).rejects.toThrow('more than 3 pages');
    expect(paths).toHaveLength(3);
  });

  it('ends after a number of bytes, of all pages together', async () => {
    const page = JSON.stringify({ keys: Array.from({ length: 40 }, () => app), next: 'app' });
    expect(page.length).toBeLessThan(usual.bytesMax);
    const { keys } = await keysOf((response) => response.end(page));
    await expect(keys.list()).rejects.toThrow('more than 10000 bytes');
  });

  it('ends when the time of the command is over', async () => {
    const { keys } = await keysOf((response) => response.write('{'), { withinMs: 100 });
    await expect(keys.list()).rejects.toThrow('does not respond in time');
  });

  it.each([
    ['nothing', null],
    ['no list', {}],
    ['no object', { keys: [null] }],
    ['a name with control characters', { keys: [{ ...app, name: 'app\u001b[2J' }] }],
    ['an owner with control characters', { keys: [{ ...app, owner: '\u009b2J' }] }],
    ['a wrong time', { keys: [{ ...app, expires_at: 'tomorrow' }] }],
  ])('is no list of keys: %s', async (_, page) => {
    const { keys } = await keysOf((response) => response.end(JSON.stringify(page)));
    await expect(keys.list()).rejects.toThrow('not the response of an admin API');
  });

  it('is no new key, and shows no text that a terminal would obey', async () => {
    const { keys } = await keysOf((response) => response.end(JSON.stringify({ ...app, key: '\u001b[2J' })));
    const wanted = { nowMs: 0, name: 'app', owner: 'acme', prefix: 'rg', expiresAt: null, fields: {} };
    await expect(keys.create(wanted)).rejects.toThrow('not the response of an admin API');
    const problem = await keysOf((response) => {
      response.writeHead(400, { 'Content-Type': 'application/problem+json' });
      response.end(JSON.stringify({ status: 400, code: 'x', title: 'x', detail: 'Read \u001b[2J this.' }));
    });
    await expect(problem.keys.list()).rejects.toThrow(/Read {2}\[2J this\./);
  });
});

it('rejects a limit of the audit that the admin API does not allow', async () => {
  const { keys, paths } = await keysOf((response) => response.end('{ "entries": [] }'));
  await expect(keys.audit(1001)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('1 to 1000') });
  expect(paths).toEqual([]);
  expect(await keys.audit(1000)).toEqual([]);
  expect(paths).toEqual([expect.stringContaining('limit=1000')]);
});

describe('--admin-url', () => {
  it.each(['http://192.0.2.1:9001', 'http://gateway.example', 'http://127.0.0.1.example.org'])(
    'sends no key to %s without --allow-http',
    async (url) => {
      const failure = await createRemoteKeys({ url, key: 'k' }).catch((error) => error);
      expect(failure).toBeInstanceOf(CommandFailure);
      expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining('--allow-http') });
      await expect(createRemoteKeys({ url, key: 'k', allowsHttp: true })).resolves.toMatchObject({ place: url });
    },
  );

  it.each(['http://localhost:9001', 'http://[::1]:9001', 'https://gateway.example'])('accepts %s', async (url) => {
    await expect(createRemoteKeys({ url, key: 'k' })).resolves.toMatchObject({ place: url });
  });
});
