import { httpMethods, type OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';

export interface SecuredOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Returns the operations of the served contract that require a key or a token.
 * @param values the values of path parameters, by name; others become `x`
 */
export async function securedOperations(
  url: string,
  values: Readonly<Record<string, string>> = {},
): Promise<SecuredOperation[]> {
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(contract.paths).flatMap(([template, item]) => {
    const [server] = item.servers ?? contract.servers ?? [];
    const base = new URL(server?.url ?? '/', url).pathname.replace(/\/$/, '');
    const path = base + template.replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values[name] ?? 'x'));
    return httpMethods.flatMap((method) => {
      const operation = item[method];
      const security = operation?.security ?? contract.security ?? [];
      const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
      return operation === undefined || isOpen
        ? []
        : [{ operationId: operation.operationId, method: method.toUpperCase(), path }];
    });
  });
}
