import { expect, test } from 'vitest';
import { keys, startStandInProxy, usualKeysFile } from '../stand-in-proxy.ts';

const people = '/v2/staffmember';
const settings = {
  rate_limit_enabled: true,
  plans: {
    gold: { limits: [{ requests: 3, per: 'hour' }], quota: { requests: 9, per: 'month' } },
    free: { limits: [{ requests: 2, per: 'day' }] },
  },
  default_plan: 'free',
  anonymous_plan: 'gold',
};

test('setting plans, default_plan, anonymous_plan: limit owners by their plan, others by the default', async () => {
  const [first, ...others] = usualKeysFile.keys;
  const proxy = await startStandInProxy({
    settings,
    keysFile: { ...usualKeysFile, keys: [{ ...first, plan: 'gold' }, ...others] },
  });
  const statusesOf = async (count: number, key?: string) => {
    const found: number[] = [];
    for (let i = 0; i < count; i++)
      found.push((await (key === undefined ? proxy.call(people) : proxy.callWith(key, people))).status);
    return found;
  };
  expect(await statusesOf(4, keys.admin)).toEqual([200, 200, 200, 429]);
  expect(await statusesOf(3, keys.reader)).toEqual([200, 200, 429]);
  expect(await statusesOf(4)).toEqual([401, 401, 401, 429]);
  const { headers } = await proxy.callWith(keys.admin, people);
  expect(headers.get('RateLimit-Policy')).toMatch(/^"gold-hour";q=3;w=3600, "gold-quota";q=9;w=\d+$/);
});
