import type { Endpoint, Portal } from '@rostergate/endpoints';
import { type CalledOperation, createCallExamples } from '@rostergate/pages';
import { httpMethods, type OpenApiDocument } from '@rostergate/server';

/** Returns how a key makes its first call, in several languages; undefined when no operation needs a key. */
export function findFirstCall(
  document: OpenApiDocument,
  endpoints: readonly Endpoint[],
  { base_url: origin, scopes }: Pick<Portal, 'base_url' | 'scopes'>,
): ((key: string) => ReturnType<typeof createCallExamples>) | undefined {
  const callable = endpoints
    .filter((endpoint) => endpoint.acceptsKeys && endpoint.apiKeys === undefined)
    .filter((endpoint) => endpoint.scopes.every((scope) => scopes.includes(scope)));
  // Reads first, then without scopes, which a key may lack.
  const cost = ({ method, scopes }: Endpoint) => (method === 'get' ? 0 : 100) + scopes.length;
  const [best] = callable.toSorted((a, b) => cost(a) - cost(b));
  const called = operationOf(document, best?.operationId ?? 'getAuthStatus');
  return called && ((key) => createCallExamples(document, called, { origin, secret: key }));
}

function operationOf(document: OpenApiDocument, operationId: string): CalledOperation | undefined {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation?.operationId !== operationId) continue;
      return {
        method,
        path,
        operation,
        ...(item.parameters === undefined ? {} : { sharedParameters: item.parameters }),
      };
    }
  }
  return undefined;
}
