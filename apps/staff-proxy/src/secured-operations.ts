import { createDeclaredPaths, type OpenApiDocument, type Operation } from '@rostergate/runtime/contract';
import { operations } from '@rostergate/staff-server';

/** What a contract puts behind a key is the upstream's to answer. */
export function securedOperations(document: OpenApiDocument): readonly Operation[] {
  const routes = createDeclaredPaths(document).flatMap((path) => path.routes);
  const secured = new Set(routes.flatMap((route) => (route.isPublic ? [] : [route.operationId])));
  return Object.values(operations).filter(({ operationId }) => secured.has(operationId));
}
