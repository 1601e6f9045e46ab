import { AuthenticationError, createGatewayClient } from '@rostergate/gateway-client';
import { expect, inject, test } from 'vitest';

const { urls, credentials } = inject('servers');
const client = createGatewayClient({ baseUrl: urls.gateway, key: credentials.GATEWAY_KEY });
const anonymous = createGatewayClient({ baseUrl: urls.gateway });

test('reads the state of the gateway', async () => {
  expect((await anonymous.getHealth()).status).toBe('healthy');
  expect((await anonymous.getReadiness()).status).toBe('ready');
  expect((await client.getAuthStatus()).authenticated).toBe(true);
  expect((await anonymous.validateKey()).code).toBe('key_missing');
  const { endpoints, total } = await client.listEndpoints();
  expect(endpoints.map(({ path }) => path)).toContain('/api/crypto');
  expect(total).toBe(endpoints.length);
});

test('throws the error class of the problem in the contract', async () => {
  await expect(anonymous.getAuthStatus()).rejects.toThrow(AuthenticationError);
});
