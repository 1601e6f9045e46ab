import { createGatewayOperations, type GatewayOperations } from './gen/client.gen.ts';
import { createTransport, type TransportOptions } from './gen/transport.gen.ts';

export type * from '@rostergate/gateway-spec';
export * from './gen/api-problem.gen.ts';
export type * from './gen/client.gen.ts';
export type { CallOptions } from './gen/transport.gen.ts';

/** Settings of the client. */
export interface GatewayClientOptions extends TransportOptions {
  /** API key, sent with every call. Without a key, only public operations succeed. */
  readonly key?: string | undefined;
}

/** One method per operationId of the contract. Each throws an `ApiProblem` for an error response. */
export type GatewayClient = GatewayOperations;

/** Returns a client of the gateway's own operations. It sends nothing until a method is called. */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { key, ...others } = options;
  return createGatewayOperations(createTransport(key === undefined ? others : { ...others, key }));
}
