export type * from '@rostergate/gateway-spec';
export { createGatewayClient, type GatewayClient, type GatewayClientOptions } from './create-gateway-client.ts';
export { type ApiFault, ApiProblem } from './gen/api-problem.gen.ts';
export type * from './gen/client.gen.ts';
export * from './gen/problem-kinds.gen.ts';
export type { CallOptions } from './gen/transport.gen.ts';
