import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { call, type TestResponse } from '../call.ts';
import { type StaffServer, staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, credentialOf, logins, pathOf } from './callers.ts';
import { type ProxyDifferenceName, proxyDifferences } from './proxy-differences.ts';

const { STAFF_PROXY_KEY } = inject('servers').credentials;
const people = `/v2/staffmember?companyKey=${companyKey}&$top=1`;

/** The request of each difference. */
const requests: Readonly<Record<ProxyDifferenceName, (server: StaffServer) => Promise<TestResponse>>> = {
  'omitted companyKey': (server) => callAs(server, 'reader', '/v2/staffmember?$top=1'),
  'login of an account': (server) => call(server, '/v2/login', { method: 'POST', json: logins.reader }),
  'login with a key': (server) =>
    call(server, '/v2/login', { method: 'POST', json: { email: 'reader', password: STAFF_PROXY_KEY } }),
  'key as a credential': (server) => call(server, people, { headers: { 'X-API-Key': STAFF_PROXY_KEY } }),
  'no credential': (server) => call(server, people),
  'condition on hidden data': (server) => callAs(server, 'reader', `${people}&$filter=Tags/any()`),
  'weak tag in If-Match': async (server) => {
    const path = pathOf(await createPerson(server));
    const plain = { ...(await credentialOf(server, 'admin')), 'Accept-Encoding': 'identity' };
    const version = (await call(server, path, { headers: plain })).headers.get('ETag');
    const headers = { 'If-Match': `W/${version}` };
    return callAs(server, 'admin', path, { method: 'PUT', json: { City: 'Oslo' }, headers });
  },
};

const names = Object.keys(proxyDifferences) as ProxyDifferenceName[];

describe.each(staffServers)('%s', (server) => {
  test.each(names)('difference %s: the response matches the list of differences', async (name) => {
    const { status, body } = await requests[name](server);
    expect(status < 300 ? `${status}` : `${status} ${body.code}`).toBe(proxyDifferences[name][server]);
  });
});

test.each(names)('difference %s: the servers differ', (name) => {
  const { scheduling, 'staff-proxy': proxy, reason } = proxyDifferences[name];
  expect(proxy).not.toBe(scheduling);
  expect(reason).toMatch(/^[A-Z].{15,}\.$/);
});

describe('the tests of the staff contract', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const sources = files.map((file) => ({ file, source: readFileSync(new URL(file, folder), 'utf8') }));

  test.each(sources)('run against the proxy too: $file', ({ source }) => {
    expect(source).toContain('describe.each(staffServers)');
  });

  test.each(sources)('expect another response only by a name of the list: $file', ({ source }) => {
    // Each server has its own people that tests may change, by number.
    const branches = source.match(/server (?:===|!==) '[^']+'(?! \? '?\d+'? : '?\d+'?[,;)\s])/g) ?? [];
    expect(branches).toEqual([]);
  });
});
