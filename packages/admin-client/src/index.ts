import { type AdminOperations, createAdminOperations } from './gen/client.gen.ts';
import { createTransport, type TransportOptions } from './gen/transport.gen.ts';

export type * from '@rostergate/admin-spec';
export * from './gen/api-problem.gen.ts';
export type * from './gen/client.gen.ts';
export type { CallOptions } from './gen/transport.gen.ts';

/** Settings of the client. */
export interface AdminClientOptions extends TransportOptions {
  /** API key, sent with every call. It needs the scope `admin`. */
  readonly key?: string | undefined;
}

/** One method per operationId of the contract. Each throws an `ApiProblem` for an error response. */
export type AdminClient = AdminOperations;

/** Returns a client of the admin API. It sends nothing until a method is called. */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const { key, ...others } = options;
  return createAdminOperations(createTransport(key === undefined ? others : { ...others, key }));
}
