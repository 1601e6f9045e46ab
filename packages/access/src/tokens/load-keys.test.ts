import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { createKeyLoader } from './load-keys.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'a', use: 'sig', x5u: 'https://id.example/x5u' };
const { d: _, x5u: __, ...publicJwk } = jwk;

type Paths = Readonly<Record<string, unknown>>;

/** Serves JSON values, or listeners, by path; `paths` receives the address. */
async function serve(paths: (url: string) => Paths) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url as string);
    const value = paths(url)[req.url as string];
    if (typeof value === 'function') (value as RequestListener)(req, res);
    else
      res.writeHead(value === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked };
}

function load(issuer: string, jwksUrl?: string, registry = new Registry()) {
  return createKeyLoader({ fetch, registry })({ name: 'corp', issuer, jwksUrl });
}

const openId = '/.well-known/openid-configuration';

it('discovers the keys and returns only their public members', async () => {
  const { url, asked } = await serve((url) => ({
    [openId]: { issuer: url, jwks_uri: `${url}/keys` },
    '/keys': { keys: [jwk, { kty: 'oct', k: 'c2VjcmV0' }, null, 'x'] },
  }));
  expect(await load(url)).toEqual({ keys: [publicJwk], ageMs: 0 });
  expect(asked).toEqual([openId, '/keys']);
});

it('discovers an OAuth server by RFC 8414, with a path', async () => {
  const { url, asked } = await serve((url) => ({
    '/.well-known/oauth-authorization-server/tenant': { issuer: `${url}/tenant`, jwks_uri: `${url}/keys` },
    '/keys': { keys: [jwk] },
  }));
  expect((await load(`${url}/tenant`)).keys).toEqual([publicJwk]);
  expect(asked[0]).toBe(`/tenant${openId}`);
});

it('uses the configured address without discovery', async () => {
  const { url, asked } = await serve(() => ({ '/keys?p=1': { keys: [jwk] } }));
  expect((await load('https://id.example', `${url}/keys?p=1`)).keys).toEqual([publicJwk]);
  expect(asked).toEqual(['/keys?p=1']);
});

const redirect: RequestListener = (_req, res) => res.writeHead(302, { Location: '/keys' }).end();
const long: RequestListener = (_req, res) => res.end(JSON.stringify({ keys: [jwk], more: 'x'.repeat(300_000) }));

it.each<readonly [string, (url: string) => Paths, RegExp]>([
  [
    'a document of another issuer',
    () => ({ [openId]: { issuer: 'https://evil.example' } }),
    /is the document of "https:\/\/evil\.example", and the setting names "http:\/\/127\.0\.0\.1:\d+"\. Both must be equal/,
  ],
  [
    'a document without an issuer',
    () => ({ [openId]: {} }),
    /is the document of no issuer, and the setting names "http/,
  ],
  ['no jwks_uri', (url) => ({ [openId]: { issuer: url } }), /has no "jwks_uri"/],
  [
    'a jwks_uri without TLS on another machine',
    (url) => ({ [openId]: { issuer: url, jwks_uri: 'http://id.example/keys' } }),
    /has no "jwks_uri" that begins with https/,
  ],
  ['a jwks_uri that is a file', (url) => ({ [openId]: { issuer: url, jwks_uri: 'file:///etc/passwd' } }), /jwks_uri/],
  ['no discovery document', () => ({}), /has no discovery document: set jwks_url/],
  ['a redirect', () => ({ [openId]: redirect }), /fetch failed/],
  ['no JSON', () => ({ [openId]: ((_req, res) => res.end('<html>')) as RequestListener }), /did not respond with JSON/],
  ['null', () => ({ [openId]: null }), /did not respond with a JSON object/],
  ['500', () => ({ [openId]: ((_req, res) => res.writeHead(500).end()) as RequestListener }), /responded with 500/],
  [
    'only secret keys',
    (url) => ({ [openId]: { issuer: url, jwks_uri: `${url}/keys` }, '/keys': { keys: [{ kty: 'oct', k: 'x' }] } }),
    /contains no public keys/,
  ],
  [
    'keys that are no list',
    (url) => ({ [openId]: { issuer: url, jwks_uri: `${url}/keys` }, '/keys': { keys: {} } }),
    /contains no public keys/,
  ],
  [
    'a document above 256 KiB',
    (url) => ({ [openId]: { issuer: url, jwks_uri: `${url}/keys` }, '/keys': long }),
    /responded with more than 262144 bytes/,
  ],
])('rejects %s', async (_name, paths, message) => {
  const { url } = await serve(paths);
  await expect(load(url)).rejects.toThrow(message);
});

it('never lets an issuer on another machine name an address on this one', async () => {
  const fetched: string[] = [];
  const stub = (async (url: URL) => {
    fetched.push(String(url));
    return Response.json({ issuer: 'https://id.example', jwks_uri: 'http://127.0.0.1:9/keys' });
  }) as unknown as typeof fetch;
  const loading = createKeyLoader({ fetch: stub, registry: new Registry() });
  await expect(loading({ name: 'corp', issuer: 'https://id.example', jwksUrl: undefined })).rejects.toThrow('jwks_uri');
  expect(fetched).toEqual([`https://id.example${openId}`]);
});

it('counts fetches by issuer and outcome', async () => {
  const { url } = await serve(() => ({ '/keys': { keys: [jwk] } }));
  const registry = new Registry();
  await load(url, `${url}/keys`, registry);
  const metrics = await registry.metrics();
  expect(metrics).toContain('token_key_fetches_total{issuer="corp",outcome="success"} 1');
});
