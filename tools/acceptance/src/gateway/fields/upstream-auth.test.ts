import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type GatewayProcess, goodKey } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { shareGateway } from '../../shared-gateway.ts';
import { startListener } from '../../start-listener.ts';
import { startTlsListener, upstreamPem } from '../../upstream-certificates.ts';

const secret = 'secret:of the+gateway/ä';

interface TokenRequest {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** An authorization server that issues `token-1`, `token-2` and so on. */
async function startIssuer() {
  const requests: TokenRequest[] = [];
  const state = {
    requests,
    answer: (res: ServerResponse, n: number): void =>
      void res
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ access_token: `token-${n}`, token_type: 'Bearer', expires_in: 3_600 })),
  };
  const { url, stop } = await startListener(async (req, res) => {
    const { authorization, 'content-type': contentType } = req.headers;
    requests.push({ authorization, contentType, body: await text(req) });
    state.answer(res, requests.length);
  });
  onTestFinished(stop);
  return Object.assign(state, { url: `${url}/token`, host: new URL(url).host });
}

/** An upstream that accepts some tokens. */
async function startUpstream(accepts: (authorization: string | undefined, req: IncomingMessage) => boolean) {
  const seen: string[] = [];
  const { url, stop } = await startListener(async (req, res) => {
    await text(req);
    const { authorization } = req.headers;
    seen.push(`${req.method} ${authorization}`);
    const isAccepted = accepts(authorization, req);
    res.writeHead(isAccepted ? 200 : 401, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' });
    res.end('{}');
  });
  onTestFinished(stop);
  return { url, seen };
}

const gateways = shareGateway({ CLIENT_SECRET: secret, PASSWORD: 'hush' });

function endpointOf(target: string, auth: object, more: object = {}) {
  return { path: '/api/n', service: 'http', upstream: { targets: [target], auth, retries: 0 }, ...more };
}

function credentials(token_url: string, more: object = {}) {
  return { type: 'client_credentials', token_url, client_id: 'gw', client_secret: '${CLIENT_SECRET}', ...more };
}

/** Fails when a secret or a token appears where people look. */
async function expectNoSecrets(gateway: GatewayProcess): Promise<void> {
  const pages = await Promise.all(
    ['/metrics', '/health/ready', '/endpoints', '/openapi.json'].map(async (path) =>
      (await fetch(gateway.url + path)).text(),
    ),
  );
  for (const shown of [gateway.output(), ...pages]) {
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('token-1');
  }
}

test('field upstream: auth client_credentials gets a token and sends it, in place of the caller’s', async () => {
  const issuer = await startIssuer();
  const upstream = await startUpstream((authorization) => authorization === 'Bearer token-1');
  const gateway = await gateways.serve({
    endpoints: [
      endpointOf(upstream.url, credentials(issuer.url, { scopes: ['a', 'b'], audience: 'https://api.example' })),
    ],
  });
  for (let i = 0; i < 3; i++) {
    expect((await gateway.call('/api/n', { headers: { Authorization: `Bearer ${goodKey}` } })).status).toBe(200);
  }
  const { authorization, body } = issuer.requests[0] as TokenRequest;
  expect(issuer.requests).toHaveLength(1);
  expect(body).toBe('grant_type=client_credentials&scope=a+b&audience=https%3A%2F%2Fapi.example');
  const [id, sent] = Buffer.from(String(authorization).replace('Basic ', ''), 'base64').toString().split(':');
  expect([id, new URLSearchParams(`s=${sent}`).get('s')]).toEqual(['gw', secret]);
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(
    `upstream_logins_total{target="${issuer.host}",outcome="ok"} 1`,
  );
  await expectNoSecrets(gateway);
});

test('field upstream: auth client_authentication post sends id and secret in the body', async () => {
  const issuer = await startIssuer();
  const upstream = await startUpstream(() => true);
  const gateway = await gateways.serve({
    endpoints: [endpointOf(upstream.url, credentials(issuer.url, { client_authentication: 'post' }))],
  });
  expect((await gateway.call('/api/n')).status).toBe(200);
  const { authorization, body } = issuer.requests[0] as TokenRequest;
  expect([authorization, new URLSearchParams(body).get('client_secret')]).toEqual([undefined, secret]);
});

test.each([
  ['form', 'application/x-www-form-urlencoded', 'email=gw%40a.example&password=hush'],
  ['json', 'application/json', '{"email":"gw@a.example","password":"hush"}'],
])('field upstream: auth login posts its fields as %s', async (body, contentType, sent) => {
  const issuer = await startIssuer();
  const upstream = await startUpstream((authorization) => authorization === 'Bearer token-1');
  const fields = { email: 'gw@a.example', password: '${PASSWORD}' };
  const gateway = await gateways.serve({
    endpoints: [endpointOf(upstream.url, { type: 'login', token_url: issuer.url, fields, body })],
  });
  expect((await gateway.call('/api/n')).status).toBe(200);
  expect(issuer.requests).toEqual([{ authorization: undefined, contentType, body: sent }]);
});

test('field upstream: auth requests one token for 1,000 requests that come at its expiry', async () => {
  const issuer = await startIssuer();
  const issue = issuer.answer;
  issuer.answer = (res, n) =>
    n > 1 ? issue(res, n) : void res.writeHead(200).end(JSON.stringify({ access_token: 'token-1', expires_in: 1 }));
  const upstream = await startUpstream(() => true);
  const gateway = await gateways.serve({ endpoints: [endpointOf(upstream.url, credentials(issuer.url))] });
  expect((await gateway.call('/api/n')).status).toBe(200);
  const expiredMs = performance.now() + 1_050;
  await pollUntil(() => performance.now() > expiredMs, { withinMs: 30_000, describe: gateway.output });
  const requests = Array.from({ length: 1_000 }, async () => (await fetch(`${gateway.url}/api/n`)).status);
  expect(new Set(await Promise.all(requests))).toEqual(new Set([200]));
  expect(issuer.requests).toHaveLength(2);
  expect(new Set(upstream.seen)).toEqual(new Set(['GET Bearer token-1', 'GET Bearer token-2']));
});

test('field upstream: auth replaces a token after a 401, and repeats safe requests only', async () => {
  const issuer = await startIssuer();
  const revoked = new Set<string>();
  const upstream = await startUpstream((authorization) => !revoked.has(String(authorization)));
  const gateway = await gateways.serve({
    endpoints: [
      endpointOf(upstream.url, credentials(issuer.url)),
      endpointOf(upstream.url, credentials(issuer.url), { method: 'POST' }),
    ],
  });
  expect((await gateway.call('/api/n')).status).toBe(200);
  revoked.add('Bearer token-1');
  const responses = await Promise.all(Array.from({ length: 50 }, () => fetch(`${gateway.url}/api/n`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(issuer.requests).toHaveLength(2);
  revoked.add('Bearer token-2');
  const post = await gateway.call('/api/n', { method: 'POST' });
  expect([post.status, post.body.code]).toEqual([502, 'upstream_failed']);
  expect(upstream.seen.filter((one) => one.startsWith('POST'))).toEqual(['POST Bearer token-2']);
});

test('field upstream: auth with an upstream that accepts no token answers 502 and does not storm the issuer', async () => {
  const issuer = await startIssuer();
  const upstream = await startUpstream(() => false);
  const gateway = await gateways.serve({ endpoints: [endpointOf(upstream.url, credentials(issuer.url))] });
  for (let i = 0; i < 20; i++) {
    const { status, body } = await gateway.call('/api/n');
    expect([status, body.code]).toEqual([502, 'upstream_failed']);
  }
  expect(issuer.requests.length).toBeLessThanOrEqual(3);
  await expectNoSecrets(gateway);
});

test.each([
  ['rejects the credentials', 401, 'rejected the credentials', 'refused'],
  ['fails', 500, 'answered 500', 'failed'],
])(
  'field upstream: auth with a token endpoint that %s is 502, names it, and shows it',
  async (_, status, words, state) => {
    const issuer = await startIssuer();
    issuer.answer = (res) => void res.writeHead(status).end(JSON.stringify({ error: secret }));
    const upstream = await startUpstream(() => true);
    const gateway = await gateways.serve({ endpoints: [endpointOf(upstream.url, credentials(issuer.url))] });
    const response = await gateway.call('/api/n');
    expect([response.status, response.body.code, response.body.detail]).toEqual([
      502,
      'upstream_failed',
      expect.stringMatching(`token endpoint .*${words}`),
    ]);
    const ready = (await (await fetch(`${gateway.url}/health/ready`)).json()) as Record<string, object>;
    expect(ready).toMatchObject({
      status: 'degraded',
      dependencies: { upstreams: { tokens: { [issuer.host]: state } } },
    });
    expect(upstream.seen).toEqual([]);
    await expectNoSecrets(gateway);
  },
);

test('field upstream: auth keeps its token across an edit, and while the token endpoint is down', async () => {
  const issuer = await startIssuer();
  const upstream = await startUpstream(() => true);
  const endpoint = endpointOf(upstream.url, credentials(issuer.url));
  const gateway = await gateways.serve({ endpoints: [endpoint] });
  expect((await gateway.call('/api/n')).status).toBe(200);
  issuer.answer = (res) => void res.socket?.destroy();
  await gateway.write('endpoints.json', { endpoints: [{ ...endpoint, path: '/api/m' }] });
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect((await gateway.call('/api/m')).status).toBe(200);
  expect(issuer.requests).toHaveLength(1);
});

test('field upstream: auth verifies the token endpoint: no secret is sent to one of another CA', async () => {
  const requests: string[] = [];
  const issuer = await startTlsListener('server', (req, res) => {
    requests.push(String(req.headers.authorization));
    res.writeHead(200).end(JSON.stringify({ access_token: 'token-1', expires_in: 60 }));
  });
  onTestFinished(issuer.stop);
  const upstream = await startUpstream(() => true);
  const trusting = credentials(`${issuer.url}/token`, { tls: { ca_file: 'ca.pem' } });
  const gateway = await gateways.serve({
    files: { 'ca.pem': upstreamPem('ca') },
    endpoints: [
      endpointOf(upstream.url, trusting),
      endpointOf(upstream.url, credentials(`${issuer.url}/token`), { path: '/api/untrusted' }),
    ],
  });
  expect((await gateway.call('/api/untrusted')).status).toBe(502);
  expect(requests).toEqual([]);
  expect((await gateway.call('/api/n')).status).toBe(200);
  expect(requests).toHaveLength(1);
});

test.each<[string, object, string]>([
  ['a missing secret', { client_secret: undefined }, 'client_secret'],
  ['fields of the other type', { fields: { password: 'hush-hush' } }, 'upstream.auth.fields: is used only by'],
  ['a login without fields', { type: 'login', client_id: undefined, client_secret: undefined }, 'auth.fields'],
  ['a variable that is not set', { client_secret: '${NOT_SET}' }, 'NOT_SET'],
  ['an address with a password', { token_url: 'https://a:hush-hush@id.example/' }, 'token_url'],
])('field upstream: auth with %s is a fault', async (_case, more, words) => {
  const auth = { ...credentials('https://id.example/token', { client_secret: 'hush-hush' }), ...more };
  expect(await gateways.reject({ endpoints: [endpointOf('https://a.example', auth)] })).toContain(words);
});
