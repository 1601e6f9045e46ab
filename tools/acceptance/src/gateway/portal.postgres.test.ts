import { expect, onTestFinished, test } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { fetchChecked } from '../call.ts';
import { createPostgresDatabase } from '../database.ts';
import { startGateway } from '../gateway-process.ts';
import { portalClient, startOidcIssuer } from '../oidc-issuer.ts';
import { pollUntil } from '../poll-until.ts';
import { PortalVisitor } from '../portal-visitor.ts';
import { startGate } from '../start-gate.ts';
import { whenTestEnds } from '../when-test-ends.ts';

test('setting portal: two gateways share sessions and keys, and without the key store it responds 503 and changes nothing', async () => {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL as string);
  onTestFinished(database.drop);
  const gate = await startGate(Object.values(database.env)[0] as string, whenTestEnds);
  const issuer = await startOidcIssuer(whenTestEnds);
  const port = await pickFreePort();
  const base_url = `http://127.0.0.1:${port}`;
  const options = {
    settings: {
      key_store_url: gate.url,
      jwt_issuers: [issuer.settings],
      portal: { issuer: 'corp', client_id: portalClient.client_id, base_url },
    },
    env: { ROSTERGATE_PORTAL_CLIENT_SECRET: portalClient.client_secret },
  };
  const first = await startGateway({ ...options, env: { ...options.env, ROSTERGATE_PORT: String(port) } });
  const second = await startGateway(options);
  const ada = new PortalVisitor(first.url, (url, init) => fetchChecked('gateway', url, init));
  await ada.signIn('ada');
  const { key, name } = await ada.createKey('laptop');
  const status = async () => (await second.call('/auth/status', { headers: { 'X-API-Key': key } })).status;
  await pollUntil(async () => (await status()) === 200, { withinMs: 20_000, describe: second.output });
  const cookie = [...(ada.cookies.get(first.url) ?? [])].map((pair) => pair.join('=')).join('; ');
  expect((await second.call('/portal', { headers: { Cookie: cookie } })).text).toContain(name);

  gate.shut();
  const away = await ada.get('/portal');
  expect([away.status, away.headers.get('Retry-After')]).toEqual([503, '60']);
  expect((await ada.post(`/portal/keys/${name}/revoke`)).status).toBe(503);
  gate.open();
  await pollUntil(async () => (await ada.get('/portal')).status === 200, { withinMs: 20_000, describe: first.output });
  expect(await status()).toBe(200);
  expect((await ada.post(`/portal/keys/${name}/revoke`)).status).toBe(303);
  await pollUntil(async () => (await status()) === 401, { withinMs: 20_000, describe: second.output });
});

test('setting portal: a developer whose plan was removed chooses another one for all keys, also expired ones', async () => {
  const database = await createPostgresDatabase(process.env.TEST_POSTGRES_URL as string);
  onTestFinished(database.drop);
  const issuer = await startOidcIssuer(whenTestEnds);
  const port = await pickFreePort();
  const base_url = `http://127.0.0.1:${port}`;
  const plan = { limits: [{ requests: 90, per: 'minute' }] };
  const settingsWith = (name: string) => ({
    key_store_url: Object.values(database.env)[0],
    jwt_issuers: [issuer.settings],
    plans: { free: plan, [name]: plan },
    portal: { issuer: 'corp', client_id: portalClient.client_id, base_url, plans: ['free', name] },
  });
  const gateway = await startGateway({
    settings: settingsWith('gold'),
    env: { ROSTERGATE_PORTAL_CLIENT_SECRET: portalClient.client_secret, ROSTERGATE_PORT: String(port) },
  });
  const vic = new PortalVisitor(gateway.url, (url, init) => fetchChecked('gateway', url, init));
  await vic.signIn('vic');
  const { name } = await vic.createKey('first', [['plan', 'gold']]);
  const rotate = (key: string) => vic.post(`/portal/keys/${key}/rotate`, { overlap_hours: '0' });
  expect((await rotate(name)).status).toBe(201);
  await gateway.write('settings.json', { api_keys: '', rate_limit_enabled: false, ...settingsWith('silver') });
  const isOffered = async () => (await (await vic.get('/portal')).text()).includes('<option>silver</option>');
  await pollUntil(isOffered, { withinMs: 20_000, describe: gateway.output });
  const rejected = await rotate(`${name}-2`);
  expect([rejected.status, await rejected.text()]).toEqual([409, expect.stringContaining('no longer exists')]);
  const created = await vic.post('/portal/keys', { name: 'second', plan: 'silver' });
  const text = await created.text();
  expect([created.status, text.includes('plan gold'), text.includes('<option>')]).toEqual([201, false, false]);
  expect((await rotate(`${name}-2`)).status).toBe(201);
});
