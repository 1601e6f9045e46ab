import { createGatewayOperations, type GatewayOperations } from './gen/client.gen.ts';
import { createTransport, type TransportOptions } from './gen/transport.gen.ts';

/** Where the gateway is, and the key that it is shown. */
export interface GatewayClientOptions extends TransportOptions {
  /** Sent with every call; without one only public operations answer. */
  readonly key?: string | undefined;
}

/** One method for each operation of the contract, by operationId. Each throws an `ApiProblem` for an error answer. */
export type GatewayClient = GatewayOperations;

/** Builds a client of the gateway's own operations. Nothing is sent until a method is called. */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { key, ...others } = options;
  return createGatewayOperations(createTransport(key === undefined ? others : { ...others, key }));
}
