import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type StandIn, startStandIn } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { type ProxyProcess, startProxy } from '../proxy-process.ts';
import { createRequests } from '../staff/requests.ts';
import { accounts, entryOf, keyOf } from './recorded-proxy.ts';
import { requestsThatAnswer, requestsThatTake } from './requests.ts';

// An upstream without ETags, because those of the scheduling API are versions of people, not of responses.
const ends: (() => Promise<unknown>)[] = [];
let upstream: StandIn;
let proxy: ProxyProcess;
beforeAll(async () => {
  const { email, password } = accounts.admin;
  upstream = await startStandIn({ [email]: password });
  const settings = { upstream_url: upstream.url, cache_seconds_max: 3_600 };
  const keysFile = { accounts: { admin: accounts.admin }, keys: [entryOf('ops')] };
  proxy = await startProxy({ keysFile, settings }, (end) => ends.unshift(end));
});
afterAll(async () => {
  for (const end of ends) await end();
  await upstream.stop();
});

/** Sends the read of an operation with the ETags of the client's copies. */
async function read(operationId: string, staffKey: string, tags?: string) {
  const { path = '' } = createRequests(staffKey).find((each) => each.operationId === operationId) ?? {};
  upstream.answers.splice(0, 1, json(200, operationId === 'getStaffMember' ? { StaffKey: staffKey } : []));
  const headers = { 'Accept-Encoding': 'identity', ...(tags === undefined ? {} : { 'If-None-Match': tags }) };
  return proxy.callWith(keyOf('ops'), path, { headers });
}

test.each(requestsThatAnswer(304))(
  '$operationId 304: has no body when the client has the cached response',
  async ({ operationId }) => {
    const whole = await read(operationId, 'one');
    const tag = whole.headers.get('ETag');
    expect([whole.status, tag]).toEqual([200, expect.stringMatching(/^W\/"/)]);
    const { status, text, headers } = await read(operationId, 'one', `"other", ${tag}`);
    expect([status, text, headers.get('ETag')]).toEqual([304, '', tag]);
  },
);

test.each(requestsThatTake('If-None-Match'))(
  '$operationId If-None-Match: other ETags than the current one return the whole response',
  async ({ operationId }) => {
    const whole = await read(operationId, 'other');
    const { status, text } = await read(operationId, 'other', '"other", W/"another"');
    expect([status, text]).toEqual([200, whole.text]);
  },
);
