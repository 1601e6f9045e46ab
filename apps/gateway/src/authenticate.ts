import type { Authenticate, Principal } from '@rostergate/runtime/contract';
import { createKeyAuthenticator, createKeyring, type KeyRecord } from '@rostergate/runtime/keys';
import type { Steps } from '@rostergate/runtime/steps';

export interface AuthenticationOptions {
  readonly keys: readonly KeyRecord[];
  /** By operationId. They replace the global ones. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  readonly clock: () => number;
}

export interface Authentication {
  readonly authenticate: Authenticate<Principal>;
  /** What a public route makes of the request's key; throws the 401 that it would answer. */
  readonly check: (context: Pick<Parameters<Authenticate<Principal>>[0], 'req'>) => Principal | null;
}

/**
 * Keys by X-API-Key or as a bearer token. A secured route is opened by its own keys, or by the global ones where it has
 * none; on a public route any key that opens something is known. A wrong one is refused on every route, public ones
 * too, except where the contract has `x-wrong-key`.
 */
export function* createAuthenticationSteps(options: AuthenticationOptions): Steps<Authentication> {
  const { keys, endpointKeys, clock } = options;
  const authenticatorOf = (records: readonly KeyRecord[]) => {
    const keyring = createKeyring(records);
    return createKeyAuthenticator({ keyring: () => keyring, createPrincipal, clock });
  };
  const global = authenticatorOf(keys);
  // Endpoints often share a list: one keyring will do for all of them.
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

/** Each key once; one that is known globally is what it is there. */
function allOf(global: readonly KeyRecord[], others: Iterable<readonly KeyRecord[]>): KeyRecord[] {
  const byDigest = new Map<string, KeyRecord>();
  for (const records of others) for (const record of records) byDigest.set(record.sha256, record);
  for (const record of global) byDigest.set(record.sha256, record);
  return [...byDigest.values()];
}

function createPrincipal({ name, owner, scopes }: KeyRecord): Principal {
  return Object.freeze({ name, owner, scopes });
}
