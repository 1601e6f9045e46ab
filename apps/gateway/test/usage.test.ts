import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteUsageStore } from '../src/usage/sqlite-usage-store.ts';
import { runInProcess } from './run-in-process.ts';
import { bearer, corp, createSigningKey, createStandInIssuer, signToken } from './stand-in-issuer.ts';
import { configure as configureGateway, goodKey, problemOf, type StartOptions, startGateway } from './start-gateway.ts';

const entry = (name: string, owner: string) => ({
  ...{ name, owner, scopes: [] },
  sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
});
const keys = [entry('shop-web', 'shop'), entry('shop-app', 'shop'), entry('other', 'other')];
const files = { 'keys.json': JSON.stringify({ keys }) };
const endpoints = [{ path: '/a', service: 'static', parameters: { answer: 1 } }];
const keyOf = (name: string) => ({ headers: { 'X-API-Key': `key-of-${name}` } });
/** Returns a JSON body, of any type. */
const bodyOf = async (response: Response) => JSON.parse(await response.text());
const nowMs = Date.UTC(2026, 10, 26, 12, 30);

async function start({ settings, ...more }: StartOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-usage-'));
  const usage = { file: join(folder, 'usage.sqlite'), flush_seconds: 3_600, keep_days: 400 };
  const options = { endpoints, files, clock: () => nowMs, settings: { usage, ...settings }, ...more };
  const gateway = await startGateway(options);
  onTestFinished(async () => {
    await gateway.app.usage.close();
    rmSync(folder, { recursive: true });
  });
  const read = async (query: string, name = 'shop-web', accept = 'application/json') => {
    const { headers } = keyOf(name);
    return gateway.fetch(`/usage${query}`, { headers: { ...headers, Accept: accept } });
  };
  return { ...gateway, folder, usage, options, read };
}

describe('GET /usage', () => {
  it('returns the counts of the caller by hour or day, with the parts that it asks for, as JSON or CSV', async () => {
    const { fetch, app, read } = await start();
    for (const name of ['shop-web', 'shop-web', 'shop-app', 'other']) await fetch('/a', keyOf(name));
    await fetch('/nothing', keyOf('shop-web'));
    await app.usage.flush();
    const time = '2026-11-26T12:00:00Z';
    expect(await bodyOf(await read(''))).toEqual({
      owner: 'shop',
      from: '2026-11-25T13:00:00Z',
      to: '2026-11-26T13:00:00Z',
      interval: 'hour',
      total_requests: 4,
      usage: [
        { time, key: 'shop-app', operation: 'getA', status: '2xx', requests: 1 },
        { time, key: 'shop-web', operation: 'getA', status: '2xx', requests: 2 },
        { time, key: 'shop-web', operation: 'unmatched', status: '4xx', requests: 1 },
      ],
    });
    const byDay = await read('?interval=day&by=status&from=2026-11-26T00:00:00Z&to=2026-11-27T00:00:00Z');
    expect((await bodyOf(byDay)).usage).toEqual([
      { time: '2026-11-26T00:00:00Z', status: '2xx', requests: 3 },
      { time: '2026-11-26T00:00:00Z', status: '4xx', requests: 1 },
    ]);
    const csv = await read('?by=key', 'shop-web', 'text/csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await csv.text()).toBe(`time,key,requests\r\n${time},shop-app,1\r\n${time},shop-web,3\r\n`);
    expect((await read('?from=2026-11-26T13:00:00Z&to=2026-11-26T14:00:00Z')).status).toBe(200);
    expect((await read('', 'shop-web', 'image/png')).status).toBe(406);
  });

  it('shows no counts of another owner', async () => {
    const { fetch, app, read } = await start();
    await fetch('/a', keyOf('shop-web'));
    await fetch('/a');
    await app.usage.flush();
    expect(await bodyOf(await read('', 'other'))).toMatchObject({ owner: 'other', total_requests: 0, usage: [] });
    expect(await bodyOf(await read('?owner=shop'))).toMatchObject({ owner: 'shop', total_requests: 1 });
    const [existing, missing] = [await read('?owner=shop', 'other'), await read('?owner=nobody', 'other')];
    expect(await problemOf(existing.clone())).toMatchObject({ answered: 404, code: 'not_found' });
    const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
    expect(withoutId(await existing.text())).toBe(withoutId(await missing.text()));
    expect(await problemOf(await fetch('/usage'))).toMatchObject({ answered: 401, code: 'key_missing' });
  });

  it('shows the counts of a token to its subject', async () => {
    const key = createSigningKey('a');
    const { loadKeys } = createStandInIssuer(key);
    const { fetch, app } = await start({ settings: { jwt_issuers: [corp] }, loadKeys });
    const token = bearer(await signToken(key, { claims: { sub: 'ann' }, nowMs }));
    await fetch('/auth/status', token);
    await app.usage.flush();
    const { usage } = await bodyOf(await fetch('/usage', token));
    expect(usage).toMatchObject([{ key: 'corp:ann', operation: 'getAuthStatus', requests: 1 }]);
  });

  it('rejects a range that is too long, empty or not a time, and unknown parts, with 400', async () => {
    const { read } = await start();
    for (const [query, detail] of [
      ['?from=2026-10-26T00:00:00Z&to=2026-11-26T01:00:00Z', '31 days'],
      ['?interval=day&from=2025-01-01T00:00:00Z', '400 days'],
      ['?from=2026-11-26T14:00:00Z', 'before'],
      ['?from=2026-11-26T12:00:00Z&to=2026-11-26T12:00:00Z', 'before'],
      ['?from=yesterday', 'date-time'],
      ['?from=2016-12-31T23:59:60Z&to=2017-01-01T01:00:00Z', 'must be a time'],
      ['?to=9999-12-31T23:59:59Z', 'of the years'],
      ['?to=0000-01-01T00:00:00Z', 'of the years'],
      ['?by=owner', 'by'],
      ['?by=', 'by'],
      ['?interval=week', 'interval'],
    ] as const) {
      expect(await problemOf(await read(query))).toMatchObject({
        ...{ answered: 400, code: 'validation_failed' },
        errors: [{ detail: expect.anything(), parameter: expect.anything() }],
      });
      expect(await (await read(query)).text()).toContain(detail);
    }
  });
});

describe('The setting usage', () => {
  it('is off by default: the route is 404 and free, and nothing is counted', async () => {
    const { fetch } = await startGateway({ endpoints: [{ ...endpoints[0], path: '/usage' }] });
    expect(await bodyOf(await fetch('/usage'))).toBe(1);
    expect(await bodyOf(await fetch('/health/ready'))).not.toHaveProperty('dependencies.usage');
    expect(await (await fetch('/metrics')).text()).not.toMatch(/^(# HELP )?usage_/m);
    const without = await startGateway({ endpoints });
    expect(await problemOf(await without.fetch('/usage'))).toMatchObject({ answered: 404, code: 'route_not_found' });
  });

  it('keeps the counts at a reload, ends with the setting, and moves to another store with it', async () => {
    const { fetch, app, read, options, configure, usage, folder } = await start();
    const apply = async (settings: object) => app.apply(await configure({ ...options, settings } as StartOptions));
    await fetch('/a', keyOf('shop-web'));
    await apply({ usage: { ...usage, keep_days: 10 } });
    await fetch('/a', keyOf('shop-web'));
    await app.usage.flush();
    expect((await bodyOf(await read('?by=key'))).total_requests).toBe(2);

    // The former store gets the last counts.
    await fetch('/a', keyOf('shop-app'));
    await apply({ usage: { ...usage, file: join(folder, 'other.sqlite') } });
    expect((await bodyOf(await read(''))).total_requests).toBe(0);
    await apply({});
    expect((await read('')).status).toBe(404);
    await apply({ usage });
    await expect
      .poll(async () => (await bodyOf(await read('?by=key'))).usage)
      .toContainEqual({ time: '2026-11-26T12:00:00Z', key: 'shop-app', requests: 1 });
  });

  it('is in readiness and metrics, which say how many requests wait', async () => {
    const { fetch, app } = await start();
    await app.usage.flush();
    await fetch('/a');
    expect((await bodyOf(await fetch('/health/ready'))).dependencies.usage).toEqual({
      ...{ status: 'ready', waiting_requests: 1 },
    });
    expect(await (await fetch('/metrics')).text()).toMatch(/^usage_requests_waiting 2$/m);
    await app.usage.flush();
    expect(await (await fetch('/metrics')).text()).toMatch(/^usage_requests_stored_total 3$/m);
  });

  it('reports a store that is down at the start, serves, and responds with 503 to /usage only', async () => {
    const settings = { usage_store_url: 'postgres://u:secret-password@127.0.0.1:1/x' };
    const { fetch, app, log, read } = await start({ settings });
    await app.usage.flush();
    const ready = await fetch('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { status: 'degraded', dependencies: { usage: { status: 'degraded', reason: expect.stringContaining('since') } } },
    ]);
    expect((await fetch('/a', { headers: { 'X-API-Key': goodKey } })).status).toBe(200);
    expect(await problemOf(await read(''))).toMatchObject({ answered: 503, code: 'unavailable' });
    await app.usage.close();
    expect(log()).toMatch(/usage cannot be stored[\s\S]*"lost_requests":[123]/);
    expect(log()).not.toContain('secret-password');
  });

  it.each([
    [{ usage: { file: '/no/such/folder/usage.sqlite' } }, /usage\.file.*\/no\/such\/folder, which does not exist/],
    [{ usage: { file: tmpdir() } }, /is a folder/],
    [{ usage: { keep_days: 0 } }, /usage\.keep_days/],
    [{ usage: { flush: 1 } }, /flush_seconds/],
    [{ usage_store_url: 'postgres://u:secret@h/d' }, /requires the setting usage/],
    [{ usage: {}, usage_store_url: 'mysql://u:secret@h/d' }, /must begin with postgres:/],
    [{ usage: {}, usage_store_url: 'postgres://u:secret@h:port/d' }, /must be a URL/],
  ])('with %j is a fault', async (settings, text) => {
    const failed = await configureGateway({ endpoints, settings } as StartOptions).catch((error: unknown) => error);
    const faults = JSON.stringify((failed as { faults?: unknown }).faults);
    expect(faults).toMatch(text);
    expect(faults).not.toContain('secret');
  });
});

describe('rostergate usage', () => {
  const makeFolder = (settings: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'rostergate-usage-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    return folder;
  };

  it('quotes CSV, and runs no name as a formula of a spreadsheet', async () => {
    const cwd = makeFolder({ usage: {} });
    const store = await openSqliteUsageStore(join(cwd, 'usage.sqlite'));
    const hour = Math.floor(Date.now() / 3_600_000);
    const count = { hour, operation: 'getA', status: '2xx', requests: 1 } as const;
    const names = ['=1+1', 'a "b", c'];
    await store.add({ writer: 'a', sequence: 1, counts: names.map((key) => ({ ...count, owner: 'o', key })) });
    await store.close();
    const { code, stdout } = await runInProcess(['usage', '--csv', '--by', 'key'], { cwd });
    expect([code, stdout.replaceAll(/^\d.*?Z/gm, 'T')]).toEqual([
      ...[0, `time,key,requests\r\nT,'=1+1,1\r\nT,"a ""b"", c",1\r\n`],
    ]);
  });

  it('says what to do when there is nothing to show', async () => {
    const failed = async (settings: object, ...args: string[]) => {
      const { code, stderr } = await runInProcess(['usage', ...args], { cwd: makeFolder(settings) });
      return `${code} ${stderr}`;
    };
    expect(await failed({})).toMatch(/^1 .*Add "usage": \{\} to settings\.json/s);
    expect(await failed({ usage: {} })).toMatch(/^3 .*usage\.sqlite: There is no such file/s);
    const away = { usage: {}, usage_store_url: 'postgres://u:secret-password@127.0.0.1:1/x' };
    expect(await failed(away)).toMatch(/^3 (?!.*secret).*The store of the usage cannot be read/s);
    expect(await failed({ usage: {} }, '--from', 'tomorrow')).toMatch(/^2 .*--from takes/s);
    expect(await failed({ usage: {} }, '--from', '2020-01-01')).toMatch(
      /^2 .*--from must be at most 31 days before --to/s,
    );
    expect(await failed({ usage: {} }, '--by', 'path')).toMatch(/^2 .*--by takes owner, key/s);
    expect(await failed({ usage: {} }, '--csv', '--json')).toMatch(/^2 /);
  });
});
