import { expect, test } from 'vitest';
import { startGateway, withKey } from '../gateway-process.ts';
import { startOidcIssuer } from '../oidc-issuer.ts';
import { pollUntil } from '../poll-until.ts';
import { whenTestEnds } from '../when-test-ends.ts';

const echo = { service: 'echo' };
const endpoints = [
  { ...echo, path: '/api/orders', auth: ['key', 'jwt:corp'] },
  { ...echo, path: '/api/orders/write', auth: ['jwt:corp'], scopes: ['orders:write'] },
  { ...echo, path: '/api/keys', requires_auth: true },
];

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function start(settings: object = {}) {
  const issuer = await startOidcIssuer(whenTestEnds);
  const gateway = await startGateway({ endpoints, settings: { jwt_issuers: [issuer.settings], ...settings } });
  return { issuer, gateway };
}

test('field auth: accepts keys and tokens of a real issuer, as listed', async () => {
  const { issuer, gateway } = await start();
  const token = bearer(await issuer.token());
  const { status, body } = await gateway.call('/api/orders', token);
  expect([status, body.caller]).toEqual([200, 'corp:orders-app']);
  expect((await gateway.call('/api/orders', withKey)).status).toBe(200);
  expect((await gateway.call('/api/keys', token)).body.code).toBe('key_invalid');
  expect((await gateway.call('/api/orders/write', withKey)).body.code).toBe('token_invalid');
  expect((await gateway.call('/api/orders/write', token)).body.code).toBe('scope_missing');
  expect((await gateway.call('/api/orders/write', bearer(await issuer.token('orders:write')))).status).toBe(200);
});

test('setting jwt_issuers: discovers the keys of the issuer, and fetches a rotated key once', async () => {
  const { issuer, gateway } = await start();
  expect((await gateway.call('/api/orders', bearer(await issuer.token()))).status).toBe(200);
  expect(issuer.keyRequests()).toBe(1);
  issuer.rotate();
  const rotated = bearer(await issuer.token());
  await pollUntil(async () => (await gateway.call('/api/orders', rotated)).status === 200, {
    withinMs: 60_000,
    // The gateway asks an issuer for unknown keys every 30 s.
    everyMs: 500,
    describe: () => 'the rotated key is not accepted',
  });
  expect(issuer.keyRequests()).toBe(2);
  expect((await gateway.call('/health/ready')).body.dependencies.issuers).toMatchObject({ status: 'ready' });
});

test('setting jwt_issuers: an outage of the issuer rejects no token whose key is known', async () => {
  const { issuer, gateway } = await start();
  const token = bearer(await issuer.token());
  expect((await gateway.call('/api/orders', token)).status).toBe(200);
  const fresh = bearer(await issuer.token());
  await issuer.stop();
  expect((await gateway.call('/api/orders', token)).status).toBe(200);
  expect((await gateway.call('/api/orders', fresh)).status).toBe(200);
});

test('setting jwt_issuers: an issuer that is down at the start delays only its tokens', async () => {
  const issuer = await startOidcIssuer(whenTestEnds);
  const token = bearer(await issuer.token());
  await issuer.stop();
  const gateway = await startGateway({ endpoints, settings: { jwt_issuers: [issuer.settings] } });
  expect((await gateway.call('/api/orders', token)).status).toBe(503);
  expect((await gateway.call('/api/orders', withKey)).status).toBe(200);
  const { status, body } = await gateway.call('/health/ready');
  expect([status, body.dependencies.issuers.status]).toEqual([200, 'degraded']);
  await issuer.start();
  await pollUntil(async () => (await gateway.call('/api/orders', token)).status === 200, {
    withinMs: 60_000,
    everyMs: 250,
    describe: () => 'the token is not accepted',
  });
});

test('setting jwt_issuers: workers share the fetches of keys', async () => {
  const { issuer, gateway } = await start({ workers: 4 });
  const token = bearer(await issuer.token());
  const statuses = await Promise.all(
    Array.from({ length: 32 }, async () => (await gateway.call('/api/orders', token)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(issuer.keyRequests()).toBe(1);
});
