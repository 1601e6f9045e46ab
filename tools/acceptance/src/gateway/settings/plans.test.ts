import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { goodKey, startGateway } from '../../gateway-process.ts';

const limited = { rate_limit_enabled: true, keys_file: 'keys.json' };
const plans = {
  gold: { limits: [{ requests: 4, per: 'hour' }], quota: { requests: 6, per: 'month' } },
  free: { limits: [{ requests: 2, per: 'day' }] },
};
const entry = (name: string, owner: string, plan?: string) => ({
  ...{ name, owner, sha256: createHash('sha256').update(name).digest('hex') },
  ...(plan === undefined ? {} : { plan }),
});
const keysFile = (...keys: object[]) => ({ 'keys.json': JSON.stringify({ keys }) });
const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });

async function statuses(url: string, count: number, init: RequestInit = {}): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (let i = 0; i < count; i++) {
    const { status, body } = await fetch(`${url}/endpoints`, init);
    await body?.cancel();
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

test('setting plans: the keys of one owner share the limits of their plan, which every page shows', async () => {
  const { url } = await startGateway({
    settings: { ...limited, plans },
    files: keysFile(entry('one', 'acme', 'gold'), entry('two', 'acme'), entry('three', 'other', 'free')),
  });
  expect(await statuses(url, 3, withKey('one'))).toEqual({ 200: 3 });
  expect(await statuses(url, 2, withKey('two'))).toEqual({ 200: 1, 429: 1 });
  const rejected = await fetch(`${url}/endpoints`, withKey('one'));
  expect(rejected.headers.get('ratelimit-policy')).toMatch(
    /^"gold-hour";q=4;w=3600, "gold-quota";q=6;w=2(419|505|592|678)\d+$/,
  );
  expect(rejected.headers.get('ratelimit')).toMatch(/^"gold-hour";r=0;t=3(600|5\d\d)$/);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(await rejected.json()).toMatchObject({ code: 'limit_exceeded', 'violated-policies': ['gold-hour'] });
  expect(await statuses(url, 3, withKey('three'))).toEqual({ 200: 2, 429: 1 });

  const read = async (path: string) => (await fetch(url + path)).text();
  expect(JSON.parse(await read('/openapi.json'))['x-plans']).toEqual(plans);
  expect(await read('/openapi.json')).toContain('`gold`: 4 requests an hour, 6 a calendar month (UTC)');
  expect(await read('/')).toContain(
    'Plans: gold (4 requests an hour, 6 a calendar month (UTC)); free (2 requests a day)',
  );
  expect(JSON.parse(await read('/endpoints')).plans).toEqual(plans);
  expect(await read('/metrics')).toContain('rate_limit_violations_total{policy="gold-hour"} 2');
});

test('setting plans: an edit holds at once and keeps the counts; a key with an unknown plan is a fault', async () => {
  const settings = { ...limited, plans };
  const gateway = await startGateway({ settings, files: keysFile(entry('one', 'acme', 'gold')) });
  const { url } = gateway;
  expect(await statuses(url, 2, withKey('one'))).toEqual({ 200: 2 });

  const lowered = { ...plans, gold: { limits: [{ requests: 2, per: 'hour' }] } };
  await gateway.write('settings.json', { ...settings, plans: lowered });
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect(await statuses(url, 1, withKey('one'))).toEqual({ 429: 1 });

  await gateway.write('settings.json', { ...settings, plans: { free: plans.free } });
  const { faults } = await gateway.logged(({ faults }) => faults !== undefined);
  expect(faults).toEqual(['keys.json:1:122  keys[0].plan: There is no such plan. There are: free.']);
  expect(await statuses(url, 1, withKey('one'))).toEqual({ 429: 1 });
});

test('setting default_plan: is the plan of keys without one', async () => {
  const { url } = await startGateway({ settings: { ...limited, plans, default_plan: 'free' } });
  expect(await statuses(url, 3, withKey(goodKey))).toEqual({ 200: 2, 429: 1 });
});

test('setting anonymous_plan: is the plan of an address without a key', async () => {
  const { url } = await startGateway({ settings: { ...limited, plans, anonymous_plan: 'free' } });
  expect(await statuses(url, 3)).toEqual({ 200: 2, 429: 1 });
  expect(await statuses(url, 3, withKey(goodKey))).toEqual({ 200: 3 });
});

test('setting plans: two workers share the counts of every window', async () => {
  const wide = {
    gold: {
      limits: [
        { requests: 400, per: 'minute' },
        { requests: 300, per: 'day' },
      ],
      quota: { requests: 200, per: 'month' },
    },
  };
  const { url } = await startGateway({
    settings: { ...limited, plans: wide, workers: 2 },
    files: keysFile(entry('one', 'acme', 'gold')),
  });
  const replies = await Promise.all(Array.from({ length: 300 }, () => fetch(`${url}/endpoints`, withKey('one'))));
  await Promise.all(replies.map((reply) => reply.arrayBuffer()));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(200);
});
