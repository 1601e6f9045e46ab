import type { Authenticate, Principal } from '@rostergate/runtime/contract';
import { createKeyAuthenticator, createKeyring, type KeyRecord } from '@rostergate/runtime/keys';

export interface AuthenticationOptions {
  readonly keys: readonly KeyRecord[];
  /** By operationId. They replace the global ones. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  readonly clock: () => number;
}

export interface Authentication {
  readonly authenticate: Authenticate<Principal>;
  /** What a secured route without keys of its own would say of the request's key; throws the 401 it would answer. */
  readonly check: (context: Pick<Parameters<Authenticate<Principal>>[0], 'req'>) => Principal | null;
}

/**
 * Keys by X-API-Key or as a bearer token. A wrong one is refused on every route, public ones too, except where the
 * contract has `x-wrong-key`.
 */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { clock } = options;
  const authenticatorOf = (keys: readonly KeyRecord[]) => {
    const keyring = createKeyring(keys);
    return createKeyAuthenticator({ keyring: () => keyring, createPrincipal, clock });
  };
  const check = authenticatorOf(options.keys);
  const own = new Map([...options.endpointKeys].map(([id, keys]) => [id, authenticatorOf(keys)]));

  return { check, authenticate: (context) => (own.get(context.route.operationId) ?? check)(context) };
}

function createPrincipal({ name, owner, scopes }: KeyRecord): Principal {
  return Object.freeze({ name, owner, scopes });
}
