// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import {
  type Contract,
  type ContractRouter,
  createRouter,
  createRouterSteps,
  type Handlers,
  type OpenApiDocument,
  type Principal,
  type RouterOptions,
  type RouterSteps,
} from '@rostergate/runtime/contract';
import { document as builtInDocument } from '@rostergate/gateway-spec';
import type { GatewayHandlers } from './handlers.gen.ts';
import { operations } from './operations.gen.ts';

export interface GatewayRouterOptions<P extends Principal = Principal> extends RouterOptions<P> {
  /** Served in place of the built-in document. An operation that it leaves out is not served. */
  readonly document?: OpenApiDocument | undefined;
  /** Handlers of the operations that the given document adds, by operationId. */
  readonly extraHandlers?: Handlers | undefined;
}

/** Builds the router of the contract; throws, naming every fault, when a part of it cannot be served as declared. */
export function createGatewayRouter<P extends Principal = Principal>(
  handlers: GatewayHandlers<P>,
  options: GatewayRouterOptions<P> = {},
): ContractRouter {
  return createRouter(contractOf(handlers, options), options);
}

/** The same, operation by operation: for a server that builds its next router while this one serves. */
export function createGatewayRouterSteps<P extends Principal = Principal>(
  handlers: GatewayHandlers<P>,
  options: GatewayRouterOptions<P> = {},
): RouterSteps {
  return createRouterSteps(contractOf(handlers, options), options);
}

function contractOf<P extends Principal>(
  handlers: GatewayHandlers<P>,
  { document = builtInDocument, extraHandlers }: GatewayRouterOptions<P>,
): Contract {
  const served = Object.values(operations).filter(({ method, path, operationId }) => {
    return document.paths[path]?.[method]?.operationId === operationId;
  });
  const builtIn = Object.fromEntries(served.map(({ operationId }) => [operationId, handlers[operationId]]));
  return { document, handlers: builtIn, extraHandlers };
}
