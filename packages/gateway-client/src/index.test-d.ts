import { createGatewayClient } from './index.ts';

/** Never runs. The compiler checks that each line marked as an error is one. */
export async function typesHold(): Promise<void> {
  const client = createGatewayClient({ baseUrl: 'https://gateway.test', key: 'k' });
  const { endpoints } = await client.listEndpoints();
  endpoints[0]?.requires_auth satisfies boolean | undefined;
  // @ts-expect-error a field that an endpoint does not have
  endpoints[0]?.requiresAuth;
  // @ts-expect-error an operation that the contract does not have
  client.listEndpoint;
  // @ts-expect-error the gateway accepts keys only
  createGatewayClient({ baseUrl: 'https://gateway.test', token: 't' });
}
