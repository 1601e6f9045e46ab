// Written by tools/contract from specs/admin/gen/openapi.json. Do not edit: run `pnpm generate`.
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
} from '@rostergate/server';
import { document as builtInDocument } from '@rostergate/admin-spec';
import { operations, type AdminHandlers } from './operations.gen.ts';

export interface AdminRouterOptions<P extends Principal = Principal> extends RouterOptions<P> {
  /** Replaces the built-in document. Operations that it does not contain are not served. */
  readonly document?: OpenApiDocument | undefined;
  /** Handlers of the operations that `document` adds, by operationId. */
  readonly extraHandlers?: Handlers | undefined;
}

/** Creates the router of the contract. Throws an error that lists every operation that cannot be served as declared. */
export function createAdminRouter<P extends Principal = Principal>(
  handlers: AdminHandlers<P>,
  options: AdminRouterOptions<P> = {},
): ContractRouter {
  return createRouter(contractOf(handlers, options), options);
}

/** Creates the router operation by operation, so that another router can serve requests meanwhile. */
export function createAdminRouterSteps<P extends Principal = Principal>(
  handlers: AdminHandlers<P>,
  options: AdminRouterOptions<P> = {},
): RouterSteps {
  return createRouterSteps(contractOf(handlers, options), options);
}

function contractOf<P extends Principal>(
  handlers: AdminHandlers<P>,
  { document = builtInDocument, extraHandlers }: AdminRouterOptions<P>,
): Contract {
  const served = Object.values(operations).filter(({ method, path, operationId }) => {
    return document.paths[path]?.[method]?.operationId === operationId;
  });
  const builtIn = Object.fromEntries(served.map(({ operationId }) => [operationId, handlers[operationId]]));
  return { document, handlers: builtIn, extraHandlers };
}
