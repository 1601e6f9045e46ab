import { createKeyAuthenticator, createKeyring, type KeyRecord } from '@rostergate/access/keys';
import type { Authenticate, Principal } from '@rostergate/server';
import type { Steps } from '@rostergate/server/steps';

export interface AuthenticationOptions {
  readonly keys: readonly KeyRecord[];
  /** By operationId. They replace the global keys. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  readonly clock: () => number;
}

export interface Authentication {
  readonly authenticate: Authenticate<Principal>;
  /** Checks the request's key as a public route does; throws the 401 of an invalid key. */
  readonly check: (context: Pick<Parameters<Authenticate<Principal>>[0], 'req'>) => Principal | null;
}

/**
 * Authenticates keys from X-API-Key or bearer tokens. A secured route accepts its own keys, or the global ones if it has
 * none; a public route accepts all of them. An invalid key is rejected on every route, including public ones, except
 * where the contract has `x-wrong-key`.
 */
export function* createAuthenticationSteps(options: AuthenticationOptions): Steps<Authentication> {
  const { keys, endpointKeys, clock } = options;
  const authenticatorOf = (records: readonly KeyRecord[]) => {
    const keyring = createKeyring(records);
    return createKeyAuthenticator({ keyring: () => keyring, createPrincipal, clock });
  };
  const global = authenticatorOf(keys);
  // Endpoints often share a list: they get one keyring.
  const shared = new Map<readonly KeyRecord[], typeof global>();
  const own = new Map<string, typeof global>();
  for (const [id, records] of endpointKeys) {
    yield;
    const authenticator = shared.get(records) ?? authenticatorOf(records);
    shared.set(records, authenticator);
    own.set(id, authenticator);
  }
  const check = own.size === 0 ? global : authenticatorOf(allOf(keys, shared.keys()));

  return {
    check,
    authenticate: (context) => {
      const { isPublic, operationId } = context.route;
      return (isPublic ? check : (own.get(operationId) ?? global))(context);
    },
  };
}

/** Returns each key once; the record of a global key wins. */
function allOf(global: readonly KeyRecord[], others: Iterable<readonly KeyRecord[]>): KeyRecord[] {
  const byDigest = new Map<string, KeyRecord>();
  for (const records of others) for (const record of records) byDigest.set(record.sha256, record);
  for (const record of global) byDigest.set(record.sha256, record);
  return [...byDigest.values()];
}

function createPrincipal({ name, owner, scopes }: KeyRecord): Principal {
  return Object.freeze({ name, owner, scopes });
}
