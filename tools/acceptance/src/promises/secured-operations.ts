/** As much of a contract as knowing what wants a key takes. */
interface Contract {
  readonly servers?: readonly { readonly url: string }[];
  readonly security?: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface SecuredOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

const verbs = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * The operations that a server says want a key or a token, by the contract that it serves.
 * @param values of parameters of their paths, by name; `x` in place of others
 */
export async function securedOperations(
  url: string,
  values: Readonly<Record<string, string>> = {},
): Promise<SecuredOperation[]> {
  const contract = (await (await fetch(`${url}/openapi.json`)).json()) as Contract;
  return Object.entries(contract.paths).flatMap(([template, item]) => {
    const servers = (item.servers ?? contract.servers) as Contract['servers'];
    const base = new URL(servers?.[0]?.url ?? '/', url).pathname.replace(/\/$/, '');
    const path = base + template.replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values[name] ?? 'x'));
    return verbs.flatMap((verb) => {
      const operation = item[verb] as { operationId: string; security?: object[] } | undefined;
      const security = operation?.security ?? contract.security ?? [];
      const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
      return operation === undefined || isOpen
        ? []
        : [{ operationId: operation.operationId, method: verb.toUpperCase(), path }];
    });
  });
}
