import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { operations } from '@rostergate/staff-server';
import { afterAll, expect, inject, test } from 'vitest';
import { createEndings } from '../at-end.ts';
import { startOidcIssuer } from '../oidc-issuer.ts';
import { type ProxyOptions, type ProxyProcess, startProxy } from '../proxy-process.ts';
import { whenTestEnds } from '../when-test-ends.ts';
import { entryOf, keyOf } from './recorded-proxy.ts';
import { startStandInProxy, usualKeysFile } from './stand-in-proxy.ts';

/** Connects the official client. */
async function connect({ url }: Pick<ProxyProcess, 'url'>, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  whenTestEnds(() => client.close());
  return client;
}

const as = (name: string) => ({ 'X-API-Key': keyOf(name) });
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const textOf = ({ content }: Awaited<ReturnType<Client['callTool']>>) => (content as { text: string }[])[0]?.text ?? '';

const { atEnd, end } = createEndings();
afterAll(end);
let started: Promise<ProxyProcess> | undefined;

/** Returns a proxy with tools in front of the shared scheduling server, for several tests. */
function inFrontOfScheduling(): Promise<ProxyProcess> {
  started ??= startInFrontOfScheduling();
  return started;
}

function startInFrontOfScheduling(): Promise<ProxyProcess> {
  const { urls, credentials, otherCompany } = inject('servers');
  const { COMPANY_KEY: company_key } = credentials;
  const options: ProxyOptions = {
    keysFile: {
      accounts: {
        admin: {
          ...{ company_key, admin: true, email: credentials.SCHEDULING_ADMIN_EMAIL },
          password: credentials.SCHEDULING_ADMIN_PASSWORD,
        },
        reader: { company_key, email: credentials.SCHEDULING_EMAIL, password: credentials.SCHEDULING_PASSWORD },
        other: {
          ...{ company_key: otherCompany.companyKey, admin: true },
          ...{ email: otherCompany.email, password: otherCompany.password },
        },
      },
      keys: [
        entryOf('admin'),
        entryOf('reader', { account: 'reader' }),
        entryOf('other', { account: 'other' }),
        entryOf('reads', { read_only: true }),
        entryOf('only-list', { operations: { allow: ['listStaffMembers'] } }),
        entryOf('no-badges', { operations: { deny: ['listBadgeIds'] } }),
        entryOf('revoked', { revoked_at: '2020-01-01T00:00:00Z' }),
      ],
    },
    settings: { upstream_url: urls.scheduling, mcp: {} },
  };
  return startProxy(options, atEnd);
}

test('setting mcp: an agent finds who is skilled for OR 3 on Friday, in its company and scope, in pages', async () => {
  const proxy = await inFrontOfScheduling();
  const filter = "Skillset/any(s: s/TaskName eq 'OR 3' and s/IsSkilledFri eq true)";
  const ask = async (name: string, args: object = {}) => {
    const client = await connect(proxy, as(name));
    return client.callTool({ name: 'listStaffMembers', arguments: { filter, ...args } });
  };
  const whole = await proxy.callWith(keyOf('admin'), `/v2/staffmember?$filter=${encodeURIComponent(filter)}`);
  const expected: string[] = whole.body.map(({ StaffKey }: { StaffKey: string }) => StaffKey);
  expect(expected.length).toBeGreaterThan(2);
  const found = (await ask('admin', { top: 2 })).structuredContent as { value: Record<string, unknown>[] };
  expect(found).toMatchObject({ '@odata.count': expected.length });
  expect(Object.keys(found.value[0] ?? {})).toEqual(['StaffKey', 'StaffId', 'FirstName', 'LastName', 'IsActive']);
  const next = (await ask('admin', { top: 2, skip: 2, select: 'StaffKey' })).structuredContent as typeof found;
  expect([...found.value, ...next.value].map(({ StaffKey }) => StaffKey)).toEqual(expected.slice(0, 4));
  // Another company has other people, and a key without the scope cannot search by skills.
  const other = (await ask('other')).structuredContent as typeof found;
  for (const { StaffKey } of other.value) expect(expected).not.toContain(StaffKey);
  const denied = await ask('reader');
  expect([denied.isError, textOf(denied)]).toEqual([true, expect.stringContaining('scope_missing')]);
  const { COMPANY_KEY: companyKey } = inject('servers').credentials;
  expect(textOf(await ask('other', { companyKey }))).toContain('company_forbidden');
  const { body: token } = await proxy.call('/v2/login', {
    method: 'POST',
    json: { email: 'admin', password: keyOf('admin') },
  });
  const loggedIn = await connect(proxy, { Authorization: `Bearer ${token.access_token}` });
  const [StaffKey = ''] = expected;
  const person = await loggedIn.callTool({ name: 'getStaffMember', arguments: { staff_key: StaffKey } });
  expect(person.structuredContent).toMatchObject({ StaffKey, Email: expect.anything() });
  expect(Object.keys(person.structuredContent as object).length).toBeLessThan(15);
});

test('setting mcp: the list of tools is what each key may call', async () => {
  const proxy = await inFrontOfScheduling();
  const { body: document } = await proxy.call('/openapi.json');
  const tools = Object.values(operations).filter(
    ({ path, method }) => document.paths[path]?.[method]?.['x-mcp-tools'] !== undefined,
  );
  expect(tools.length).toBeGreaterThan(4);
  for (const name of ['admin', 'reader', 'other', 'reads', 'only-list', 'no-badges']) {
    const statuses = await Promise.all(
      tools.map(async ({ path, operationId }) => {
        const target = path.replaceAll(/\{\w+\}/g, 'x');
        const { body } = await proxy.callWith(keyOf(name), `/v2${target}`);
        return body.code === 'operation_forbidden' || body.code === 'scope_missing' ? [] : [operationId];
      }),
    );
    expect(await namesOf(await connect(proxy, as(name)))).toEqual(statuses.flat());
  }
  for (const headers of [{}, as('revoked'), as('unknown')]) {
    await expect(connect(proxy, headers as Record<string, string>)).rejects.toThrow();
  }
});

test('setting mcp: a token of a real issuer calls tools, and never reaches the upstream', async () => {
  const issuer = await startOidcIssuer(whenTestEnds);
  const resource = 'https://api.example.com';
  const mcp = { auth: ['jwt:corp'], resource, tools: [{ operation_id: 'listStaffMembers', name: 'people' }] };
  const proxy = await startStandInProxy({
    keysFile: { ...usualKeysFile, tokens: [{ issuer: 'corp', value: 'orders-app', account: 'reader' }] },
    settings: { jwt_issuers: [issuer.settings], mcp },
  });
  const token = await issuer.token();
  const client = await connect(proxy, { Authorization: `Bearer ${token}` });
  expect(await namesOf(client)).toEqual(['people']);
  expect((await client.callTool({ name: 'people', arguments: {} })).isError).not.toBe(true);
  expect(proxy.upstream.seen.map(({ url }) => url).join()).toMatch(/%24top=50/);
  expect(JSON.stringify(proxy.upstream.seen)).not.toContain(token.split('.')[1]);
  const rejected = await fetch(`${proxy.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const metadata = '/.well-known/oauth-protected-resource/mcp';
  expect([rejected.status, rejected.headers.get('WWW-Authenticate')]).toEqual([
    401,
    expect.stringContaining(`resource_metadata="${resource}${metadata}"`),
  ]);
  expect((await proxy.call(metadata)).body).toMatchObject({
    resource,
    authorization_servers: [issuer.settings.issuer],
  });
});
