import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { createEndings } from '../at-end.ts';
import { fetchChecked } from '../call.ts';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { type OidcIssuer, portalClient, portalOrigin, startOidcIssuer } from '../oidc-issuer.ts';
import { plainFetch } from '../plain-fetch.ts';
import { pollUntil } from '../poll-until.ts';
import { PortalVisitor } from '../portal-visitor.ts';
import { livingWorkers } from '../promises/worker-lines.ts';
import { runProgram } from '../run-program.ts';
import { serverPrograms } from '../server-programs.ts';
import { fetchOverTls } from '../tls.ts';
import { startTlsListener } from '../upstream-certificates.ts';

const { atEnd, end } = createEndings();
afterAll(end);

const endpoints = [{ path: '/api/echo', method: 'POST', service: 'echo', requires_auth: true, scopes: ['echo'] }];
const env = { ROSTERGATE_PORTAL_CLIENT_SECRET: portalClient.client_secret };
const plans = { free: { limits: [{ requests: 9, per: 'minute' }] }, gold: { quota: { requests: 9, per: 'month' } } };
let issuer: OidcIssuer;
let gateway: GatewayProcess;
let settings: Record<string, unknown>;

function settingsOf(port: number, more: object = {}) {
  const portal = { issuer: 'corp', client_id: portalClient.client_id, base_url: `http://127.0.0.1:${port}` };
  return {
    ...{ port, plans, jwt_issuers: [issuer.settings], usage: { flush_seconds: 1 } },
    portal: { ...portal, plans: ['free'], scopes: ['echo'], keys_max: 2, ...more },
  };
}

async function start(more: { settings?: object; portal?: object; env?: object } = {}): Promise<GatewayProcess> {
  const port = await pickFreePort();
  settings = { ...settingsOf(port, more.portal), ...more.settings };
  return startGateway({ settings, endpoints, env: { ...env, ...more.env, ROSTERGATE_PORT: String(port) } }, atEnd);
}

beforeAll(async () => {
  issuer = await startOidcIssuer(atEnd);
  gateway = await start();
});

/** Returns a visitor of a portal whose responses are checked against the contract. */
const visitorOf = ({ url }: Pick<GatewayProcess, 'url'> = gateway) =>
  new PortalVisitor(url, (to, init) => fetchChecked('gateway', to, init));

async function signedIn(login: string, at: Pick<GatewayProcess, 'url'> = gateway): Promise<PortalVisitor> {
  const visitor = visitorOf(at);
  await visitor.signIn(login);
  return visitor;
}

/** Calls the endpoint with a key. */
const callWith = (key: string, { url }: Pick<GatewayProcess, 'url'> = gateway) =>
  fetch(`${url}/api/echo`, {
    method: 'POST',
    body: '{}',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  });

const becomes = (key: string, status: number, at: Pick<GatewayProcess, 'url'> = gateway) =>
  pollUntil(async () => (await callWith(key, at)).status === status, {
    withinMs: 20_000,
    describe: () => `the key does not get ${status}`,
  });

const sessionOf = (visitor: PortalVisitor) => visitor.cookies.get(gateway.url) as Map<string, string>;

test('setting portal: a developer signs in, creates, rotates and revokes a key, and sees the calls', async () => {
  const ada = await signedIn('ada');
  expect(await (await ada.get('/portal')).text()).toContain('Signed in as Dev ada');
  const { key, name } = await ada.createKey('laptop', [['scopes', 'echo']]);
  await becomes(key, 200);
  const status = await fetch(`${gateway.url}/auth/status`, { headers: { 'X-API-Key': key } });
  expect(await status.json()).toMatchObject({ name, plan: 'free', scopes: ['echo'] });

  const rotated = await ada.post(`/portal/keys/${name}/rotate`, { overlap_hours: '0' });
  expect(rotated.status).toBe(201);
  const [, next = ''] = /aria-label="key"><code>([^<]+)/.exec(await rotated.text()) ?? [];
  await becomes(next, 200);
  await becomes(key, 401);

  expect((await ada.post(`/portal/keys/${name}-2/revoke`)).status).toBe(303);
  await becomes(next, 401);
  await pollUntil(async () => /<rect class="good"[^>]*height="1\d/.test(await (await ada.get('/portal')).text()), {
    withinMs: 20_000,
    describe: () => 'the chart has no bar',
  });
  expect(gateway.output()).not.toContain(key);
  expect(gateway.output()).not.toContain(portalClient.client_secret);
});

test('setting portal: wrong settings are named with their place and the remedy', async () => {
  const port = new URL(gateway.url).port;
  const wrong = settingsOf(Number(port), { issuer: 'crop', plans: ['fre'], base_url: 'http://portal.example' });
  await gateway.write('settings.json', wrong);
  await gateway.logged(({ msg }) => msg?.startsWith('configuration rejected') === true);
  const output = gateway.output();
  expect(output).toMatch(/portal\.issuer.{0,80}Did you mean.{0,4}corp/s);
  expect(output).toMatch(/portal\.plans\[0\].{0,80}Did you mean.{0,4}free/s);
  expect(output).toMatch(/portal\.base_url.{0,80}must begin with https/s);
  await gateway.write('settings.json', { api_keys: '', rate_limit_enabled: false, ...settings });
});

test('setting portal_client_secret: a short one is a fault, and the file never shows it', async () => {
  const { exitCode, stderr } = await runProgram(serverPrograms.gateway.file, ['validate', '--config', gateway.folder], {
    cwd: gateway.folder,
    env: { ROSTERGATE_PORTAL_CLIENT_SECRET: 'too-short-a-secret' },
  });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('ROSTERGATE_PORTAL_CLIENT_SECRET');
  expect(stderr).not.toContain('too-short-a-secret');
});

test('route GET /portal: offers the sign-in without a session, and no session is made of a changed or old cookie', async () => {
  const visitor = await signedIn('bea');
  const session = sessionOf(visitor).get('__Host-portal') as string;
  const shows = async (cookie: string) =>
    await (await fetch(`${gateway.url}/portal`, { headers: { Cookie: cookie } })).text();
  expect(await shows(`__Host-portal=${session}`)).toContain('Signed in as Dev bea');
  const parts = session.split('.');
  const [, , , content = ''] = parts;
  const tampered = parts.with(3, (content.startsWith('A') ? 'B' : 'A') + content.slice(1)).join('.');
  const pending = visitorOf();
  await pending.get('/portal/sign-in');
  const other = sessionOf(pending).get('__Host-portal-sign-in') as string;
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"owner":"corp:bea","name":"x","exp":9999999999}')}.`;
  for (const cookie of ['', 'x', tampered, other, unsigned, `${session}; __Host-portal=${session}`]) {
    const text = await shows(`__Host-portal=${cookie}`);
    expect(text).toContain('href="/portal/sign-in"');
    expect(text).not.toContain('Signed in as');
  }
});

test('route GET /portal: pages have a strict policy, are not stored, and no script of another origin reads them', async () => {
  const visitor = await signedIn('bea');
  const { headers } = await visitor.get('/portal');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(headers.get('Cache-Control')).toContain('no-store');
  for (const path of ['/portal', '/portal/sign-in']) {
    expect((await visitor.get(path, { Origin: 'https://evil.example' })).status).toBe(403);
  }
});

test('route GET /portal/assets/{asset}: serves the files of the page and no other', async () => {
  for (const name of ['portal.css', 'portal.js', 'icon.svg']) {
    expect((await gateway.call(`/portal/assets/${name}`)).status).toBe(200);
  }
  expect((await gateway.call('/portal/assets/package.json')).status).toBe(404);
});

test('route GET /portal/sign-in: redirects to the issuer with PKCE, state and nonce, in a cookie that scripts cannot read', async () => {
  const { status, headers } = await gateway.call('/portal/sign-in');
  expect(status).toBe(303);
  const url = new URL(headers.get('Location') ?? '');
  expect(url.origin).toBe(issuer.url);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{ client_id: 'portal', response_type: 'code', code_challenge_method: 'S256' },
    ...{ redirect_uri: `${gateway.url}/portal/callback`, state: expect.any(String), nonce: expect.any(String) },
  });
  expect(headers.get('Set-Cookie')).toMatch(
    /^__Host-portal-sign-in=\S+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/,
  );
});

test('route GET /portal/callback: a response of another sign-in, of another browser, or used twice does not sign in', async () => {
  const carl = visitorOf();
  const callback = await carl.authorize('carl');
  const stranger = visitorOf();
  expect((await stranger.send(callback)).status).toBe(400);
  await stranger.get('/portal/sign-in');
  expect((await stranger.send(callback)).status).toBe(400);
  const pending = sessionOf(carl).get('__Host-portal-sign-in') as string;
  const changed = new URL(callback);
  changed.searchParams.set('state', 'another');
  const tryAgain = (url: string) =>
    fetch(url, { redirect: 'manual', headers: { Cookie: `__Host-portal-sign-in=${pending}` } });
  expect((await tryAgain(changed.href)).status).toBe(400);
  expect((await carl.send(callback)).status).toBe(303);
  const replayed = await tryAgain(callback);
  expect(replayed.status).toBe(400);
  expect(replayed.headers.getSetCookie().join()).not.toContain('__Host-portal=ey');
  expect((await gateway.call('/portal/callback?error=access_denied')).status).toBe(400);
  const denied = visitorOf();
  const { headers } = await denied.get('/portal/sign-in');
  const state = new URL(headers.get('Location') ?? '').searchParams.get('state');
  const iss = encodeURIComponent(issuer.url);
  expect((await denied.get(`/portal/callback?error=access_denied&state=${state}&iss=${iss}`)).status).toBe(403);
});

test('route GET /portal/callback: an ID token with the nonce of another sign-in does not sign in', async () => {
  const quin = visitorOf();
  const replayed = await quin.send(await quin.authorize('quin', { nonce: 'of-another-sign-in' }));
  expect([replayed.status, await replayed.text()]).toEqual([400, expect.stringContaining('Start again.')]);
  expect(sessionOf(quin).size).toBe(0);
  await quin.signIn('quin');
  expect(sessionOf(quin).has('__Host-portal')).toBe(true);
});

test('route GET /portal/callback: with the claim email, only a verified address signs in', async () => {
  const own = await start({ settings: { jwt_issuers: [{ ...issuer.settings, owner_claim: 'email' }] } });
  const ray = visitorOf(own);
  const rejected = await ray.send(await ray.authorize('unverified-ray'));
  expect([rejected.status, await rejected.text()]).toEqual([403, expect.stringContaining('has not verified')]);
  expect(await (await ray.get('/portal')).text()).toContain('href="/portal/sign-in"');
  await (await signedIn('sue', own)).createKey('laptop');
  expect(await readFile(join(own.folder, 'keys.json'), 'utf8')).toContain('"owner": "corp:sue@example.com"');
});

test('route POST /portal/sign-out: removes the session', async () => {
  const visitor = await signedIn('dan');
  expect((await visitor.post('/portal/sign-out', {}, { Origin: 'https://evil.example' })).status).toBe(403);
  expect(sessionOf(visitor).has('__Host-portal')).toBe(true);
  expect((await visitor.post('/portal/sign-out')).status).toBe(303);
  expect(sessionOf(visitor).has('__Host-portal')).toBe(false);
});

test('route POST /portal/keys: more than the portal offers is rejected with 403, a repeated name with 409', async () => {
  const eve = await signedIn('eve');
  const statusOf = async (fields: string[][]) => (await eve.post('/portal/keys', fields)).status;
  expect(
    await statusOf([
      ['name', 'a'],
      ['scopes', 'admin'],
    ]),
  ).toBe(403);
  expect(
    await statusOf([
      ['name', 'a'],
      ['plan', 'gold'],
    ]),
  ).toBe(403);
  expect(await statusOf([['name', 'a b']])).toBe(400);
  expect(
    await statusOf([
      ['name', 'a'],
      ['owner', 'corp:ada'],
    ]),
  ).toBe(400);
  expect(
    await statusOf([
      ['name', 'a'],
      ['plan', 'free'],
      ['scopes', 'echo'],
    ]),
  ).toBe(201);
  expect(await statusOf([['name', 'a']])).toBe(409);
  expect(await statusOf([['name', 'b']])).toBe(201);
  expect(await statusOf([['name', 'c']])).toBe(403);
  expect((await visitorOf().post('/portal/keys', { name: 'a' })).status).toBe(403);
});

test.each([
  ['without an origin', { Origin: '' }],
  ['of another origin', { Origin: 'https://evil.example' }],
  ['of an opaque origin', { Origin: 'null' }],
  ['of the same site', { 'Sec-Fetch-Site': 'same-site' }],
  ['of another site', { 'Sec-Fetch-Site': 'cross-site' }],
])('route POST /portal/keys: a request %s changes nothing', async (_, headers) => {
  const visitor = await signedIn('fay');
  const { name } = await visitor.createKey(`key${Math.random().toString(36).slice(2)}`);
  const writes = [
    ['/portal/keys', { name: 'forged' }],
    [`/portal/keys/${name}/rotate`, { overlap_hours: '24' }],
    [`/portal/keys/${name}/revoke`, {}],
  ] as const;
  for (const [path, fields] of writes) expect((await visitor.post(path, fields, headers)).status).toBe(403);
  const text = await (await visitor.get('/portal')).text();
  expect(text).toContain(`/portal/keys/${name}/revoke`);
  expect(text).not.toMatch(/forged|key\w+-2/);
  expect((await visitor.post(`/portal/keys/${name}/revoke`)).status).toBe(303);
});

test('route POST /portal/keys/{key}/rotate: a key of another owner does not exist', async () => {
  const [gil, hal] = [await signedIn('gil'), await signedIn('hal')];
  const { key, name } = await gil.createKey('mine', [['scopes', 'echo']]);
  expect((await hal.post(`/portal/keys/${name}/rotate`, { overlap_hours: '24' })).status).toBe(404);
  expect((await hal.post('/portal/keys/none/rotate', { overlap_hours: '24' })).status).toBe(404);
  await becomes(key, 200);
});

test('route POST /portal/keys/{key}/rotate: a key that is no longer valid is rejected with 409', async () => {
  const lea = await signedIn('lea');
  const { name } = await lea.createKey('laptop');
  const rotate = () => lea.post(`/portal/keys/${name}/rotate`, { overlap_hours: '0' });
  expect((await rotate()).status).toBe(201);
  expect((await rotate()).status).toBe(409);
});

test('route POST /portal/keys/{key}/rotate: a key that is rotated twice leaves no more keys than allowed', async () => {
  const nia = await signedIn('nia');
  const { name } = await nia.createKey('laptop');
  const other = await nia.createKey('other');
  const rotate = async (key: string) => (await nia.post(`/portal/keys/${key}/rotate`, { overlap_hours: '168' })).status;
  expect(await rotate(name)).toBe(201);
  expect(await rotate(name)).toBe(403);
  expect(await rotate(other.name)).toBe(201);
});

test('route POST /portal/keys: the plan that an operator gave stays after the last key is revoked', async () => {
  const oli = await signedIn('oli');
  const first = await oli.createKey('first');
  const { file } = serverPrograms.gateway;
  const changed = await runProgram(file, ['keys', 'plan', first.name, 'gold'], { cwd: gateway.folder });
  expect(changed.exitCode, changed.stderr).toBe(0);
  expect((await oli.post(`/portal/keys/${first.name}/revoke`)).status).toBe(303);
  const fields = (plan: string) => [
    ['name', 'second'],
    ['plan', plan],
    ['scopes', 'echo'],
  ];
  expect((await oli.post('/portal/keys', fields('free'))).status).toBe(403);
  const second = await oli.createKey('second', [['scopes', 'echo']]);
  await becomes(second.key, 200);
  const status = await fetch(`${gateway.url}/auth/status`, { headers: { 'X-API-Key': second.key } });
  expect(await status.json()).toMatchObject({ plan: 'gold' });
});

test('setting portal: a developer whose plan was removed chooses another one, and sees the limits', async () => {
  const offered = { portal: { plans: ['free', 'gold'] } };
  const own = await start({ settings: { rate_limit_enabled: true }, ...offered });
  const vic = await signedIn('vic', own);
  const first = await vic.createKey('first', [['plan', 'gold']]);
  expect((await vic.post(`/portal/keys/${first.name}/revoke`)).status).toBe(303);
  const { free, gold: silver } = plans;
  const { portal } = settings as { portal: object };
  const edited = { ...settings, plans: { free, silver }, portal: { ...portal, plans: ['free', 'silver'] } };
  await own.write('settings.json', { api_keys: '', ...edited });
  let text = '';
  const isOffered = async () => {
    text = await (await vic.get('/portal')).text();
    return text.includes('<option>silver</option>');
  };
  await pollUntil(isOffered, { withinMs: 20_000, describe: () => text });
  expect(text).not.toContain('cannot be read now');
  const created = await vic.post('/portal/keys', { name: 'second', plan: 'silver' });
  expect([created.status, await created.text()]).toEqual([201, expect.stringContaining('plan silver')]);
});

test('setting key_store_url: an edit takes effect at the next start, also for the portal and for new workers', async () => {
  const own = await start({ settings: { workers: 2 } });
  const pia = await signedIn('pia', own);
  // Nothing listens there.
  const edited = { key_store_url: 'redis://127.0.0.1:9', admin_port: await pickFreePort() };
  await own.write('settings.json', { api_keys: 'a-key', rate_limit_enabled: false, ...settings, ...edited });
  const pending = await own.logged(({ msg }) => msg === 'takes effect at the next start');
  expect(pending.settings).toEqual(['key_store_url', 'admin_port']);
  // One after the other, so that one of them always serves.
  for (const pid of livingWorkers(own)) {
    process.kill(pid, 'SIGKILL');
    const isReplaced = () => livingWorkers(own).length === 2 && !livingWorkers(own).includes(pid);
    await pollUntil(isReplaced, { withinMs: 60_000, describe: own.output });
  }

  // At once: the maximum is that of all requests together.
  const named = Array.from({ length: 6 }, (_, i) => pia.post('/portal/keys', { name: `key${i}` }));
  expect((await Promise.all(named)).map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
  const [, first = ''] = /\/portal\/keys\/([\w.]+)\/revoke/.exec(await (await pia.get('/portal')).text()) ?? [];
  expect((await pia.post(`/portal/keys/${first}/revoke`)).status).toBe(303);
  const { key } = await pia.createKey('last', [['scopes', 'echo']]);
  await becomes(key, 200, own);
  expect((await callWith('unknown', own)).status).toBe(401);
  await expect(plainFetch(new URL(`http://127.0.0.1:${edited.admin_port}/`), {})).rejects.toThrow();
});

test('setting portal: requests of the portal count against the auxiliary limit only', async () => {
  const own = await start({ settings: { rate_limit_enabled: true } });
  const mia = visitorOf(own);
  const begun = await mia.get('/portal/sign-in');
  const signedIn = await mia.send(await mia.authorize('mia'));
  const created = await mia.post('/portal/keys', { name: 'laptop' });
  const [, name = ''] = /\/portal\/keys\/([\w.-]+)\/rotate/.exec(await created.text()) ?? [];
  const rotated = await mia.post(`/portal/keys/${name}/rotate`, { overlap_hours: '24' });
  const revoked = await mia.post(`/portal/keys/${name}/revoke`);
  const ended = await mia.post('/portal/sign-out');
  const responses = [begun, signedIn, created, rotated, revoked, ended];
  expect(responses.map(({ status }) => status)).toEqual([303, 303, 201, 201, 303, 303]);
  for (const { headers } of responses) expect(headers.get('RateLimit-Policy')).toBe('"auxiliary";q=600;w=60');
  const left = responses.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]));
  expect(left).toEqual([...left].sort((a, b) => b - a));
});

test('route POST /portal/keys/{key}/revoke: a key of another owner does not exist, and stays valid', async () => {
  const [ida, jon] = [await signedIn('ida'), await signedIn('jon')];
  const { key, name } = await ida.createKey('mine', [['scopes', 'echo']]);
  const rejected = await jon.post(`/portal/keys/${name}/revoke`);
  expect(rejected.status).toBe(404);
  expect(await rejected.text()).not.toContain('corp:ida');
  await becomes(key, 200);
});

test('setting portal: sessions, keys and the use of each limit are the same on every worker, and the issuer may be away', async () => {
  const free = { limits: [{ requests: 90, per: 'hour' }], quota: { requests: 1000, per: 'month' } };
  const own = await start({ settings: { workers: 2, rate_limit_enabled: true, plans: { free } } });
  const kim = await signedIn('kim', own);
  const { key } = await kim.createKey('laptop', [['scopes', 'echo']]);
  // Another worker may learn of the key later.
  for (let i = 0; i < 5; i++) await becomes(key, 200, own);
  // Views count nothing, on either worker.
  for (let i = 0; i < 8; i++) {
    const text = await (await kim.get('/portal', { Connection: 'close' })).text();
    expect(text).toMatch(
      /85 left<\/strong> of 90 requests in any hour.*995 left<\/strong> of 1,000 requests per month/s,
    );
    expect(text).toMatch(/<meter [^>]*max="90" [^>]*value="5">.*free again at .*<meter [^>]*max="1000".*resets at /s);
  }
  await issuer.stop();
  try {
    expect((await kim.get('/portal')).status).toBe(200);
    const fresh = await start();
    const away = await visitorOf(fresh).get('/portal/sign-in');
    expect(away.status).toBe(503);
    expect(away.headers.get('Retry-After')).toBe('60');
  } finally {
    await issuer.start();
  }
});

test('setting portal: a developer uses it behind a proxy that ends TLS, and not by its inner address', async () => {
  const own = await start({ settings: { trusted_proxies: ['127.0.0.1'] }, portal: { base_url: portalOrigin } });
  const proxy = await startTlsListener('server', (req, res) => {
    const headers = { ...req.headers, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
    const forwarded = request(own.url + req.url, { method: req.method ?? 'GET', headers }, (reply) => {
      res.writeHead(reply.statusCode as number, reply.headers);
      pipeline(reply, res, () => {});
    });
    pipeline(req, forwarded, () => {});
  });
  onTestFinished(proxy.stop);
  const port = Number(new URL(proxy.url).port);
  const uma = new PortalVisitor(portalOrigin, (to, init) => fetchOverTls(to, port, init));
  await uma.signIn('uma');
  const { key, name } = await uma.createKey('laptop', [['scopes', 'echo']]);
  await becomes(key, 200, own);
  expect(await (await uma.get('/portal')).text()).toContain('Signed in as Dev uma');

  // The same session, from a page of another origin.
  const inner = visitorOf(own);
  inner.cookies.set(own.url, uma.cookies.get(portalOrigin) as Map<string, string>);
  expect((await inner.post(`/portal/keys/${name}/revoke`)).status).toBe(403);
  await becomes(key, 200, own);

  expect((await uma.post(`/portal/keys/${name}/revoke`)).status).toBe(303);
  await becomes(key, 401, own);
  expect((await uma.post('/portal/sign-out')).status).toBe(303);
  expect(await (await uma.get('/portal')).text()).not.toContain('Signed in');
});
