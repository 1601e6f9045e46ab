import { createKeyAuthenticator, createKeyring, type KeyRecord, type SharedKeys } from '@rostergate/access/keys';
import {
  createTokenAuthenticator,
  type Issuer,
  type IssuerRegistry,
  type TokenClaims,
} from '@rostergate/access/tokens';
import type { Endpoint, Mcp } from '@rostergate/endpoints';
import { mcpAuthOf } from '@rostergate/mcp';
import type { Authenticate, Context, Principal } from '@rostergate/server';
import type { Steps } from '@rostergate/server/steps';

export interface AuthenticationOptions {
  readonly keys: readonly KeyRecord[];
  /** By operationId. They replace the global keys. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  readonly endpoints: readonly Pick<Endpoint, 'operationId' | 'acceptsKeys' | 'issuers'>[];
  readonly issuers: readonly Issuer[];
  readonly registry: Pick<IssuerRegistry<Principal>, 'verifierOf' | 'countForeign'>;
  readonly clock: () => number;
  /** The keys of the key store, valid beside the global ones. */
  readonly storedKeys?: SharedKeys | undefined;
  readonly mcp?: Mcp | undefined;
}

export interface Authentication {
  readonly authenticate: Authenticate<Principal>;
  /** Checks the request's key or token as a public route does; fails with the 401 of an invalid one. */
  readonly check: Authenticate<Principal>;
  /** Authenticates the keys of keys.json, `api_keys` and the key store alone. */
  readonly authenticateKey: Authenticate<Principal>;
}

/**
 * Authenticates keys from X-API-Key or bearer tokens, and access tokens. A secured route accepts its own keys, or the
 * global ones if it has none, and the tokens of its issuers; a public route accepts all keys, and all tokens unless it is an
 * endpoint. An invalid key is rejected on every route, including public ones, except where the contract has `x-wrong-key`.
 */
export function* createAuthenticationSteps(options: AuthenticationOptions): Steps<Authentication> {
  const { keys, endpointKeys, endpoints, issuers, registry, clock, storedKeys, mcp } = options;
  const authenticatorOf = (records: readonly KeyRecord[], shared?: SharedKeys) => {
    const keyring = createKeyring(records, shared);
    return createKeyAuthenticator({ keyring: () => keyring, createPrincipal, clock });
  };
  const global = authenticatorOf(keys, storedKeys);
  const listedAlone = storedKeys && onlyListed(storedKeys);
  // Endpoints often share a list: they get one keyring.
  const shared = new Map<readonly KeyRecord[], typeof global>();
  const own = new Map<string, Authenticate<Principal>>();
  const ownKeys = new Map<string, typeof global>();
  for (const [id, records] of endpointKeys) {
    yield;
    const authenticator = shared.get(records) ?? authenticatorOf(records, listedAlone);
    shared.set(records, authenticator);
    own.set(id, authenticator);
    ownKeys.set(id, authenticator);
  }
  const check = ownKeys.size === 0 ? global : authenticatorOf(allOf(keys, shared.keys()), storedKeys);
  // A key of an endpoint calls its tools, too.
  own.set('callMcp', check);
  if (issuers.length === 0) return { check, authenticateKey: global, authenticate: createChoice(own, global, check) };

  const byName = new Map(issuers.map((issuer) => [issuer.name, issuer]));
  const withTokens = (
    names: Iterable<string>,
    authenticateKey: typeof global | undefined,
    meantFor: { readonly audiences?: readonly string[] } = {},
  ) =>
    createTokenAuthenticator({
      verifiers: [...names].flatMap((name) => {
        const issuer = byName.get(name);
        return issuer === undefined ? [] : [registry.verifierOf({ ...issuer, ...meantFor })];
      }),
      authenticateKey,
      onForeign: registry.countForeign,
    });
  for (const { operationId, acceptsKeys, issuers: names } of endpoints) {
    if (names.length === 0) continue;
    yield;
    own.set(operationId, withTokens(names, acceptsKeys ? (ownKeys.get(operationId) ?? global) : undefined));
  }
  const auth = mcp && mcpAuthOf(mcp);
  if (auth !== undefined && auth.issuers.length > 0) {
    const meantFor = { audiences: [(mcp as Mcp).resource] };
    own.set('callMcp', withTokens(auth.issuers, auth.acceptsKeys ? check : undefined, meantFor));
  }
  // Built-in operations about the credential itself accept the tokens of every issuer.
  for (const operationId of ['getAuthStatus', 'getUsage']) own.set(operationId, withTokens(byName.keys(), global));
  const checkAll = withTokens(byName.keys(), check);
  const choose = createChoice(own, global, check);
  const configured = new Set(endpoints.map(({ operationId }) => operationId));
  return {
    check: checkAll,
    authenticateKey: global,
    authenticate(context) {
      const { isPublic, operationId } = context.route;
      return isPublic && !configured.has(operationId) ? checkAll(context) : choose(context);
    },
  };
}

/** Returns the authenticator of every route: those of secured routes by operationId, `check` for public ones. */
function createChoice(
  own: ReadonlyMap<string, Authenticate<Principal>>,
  global: Authenticate<Principal>,
  check: Authenticate<Principal>,
): Authenticate<Principal> {
  return (context: Context<Principal>) => {
    const { isPublic, operationId } = context.route;
    return (isPublic ? check : (own.get(operationId) ?? global))(context);
  };
}

/** Returns the records of the store for keys that are listed elsewhere: a revoked key is revoked everywhere. */
function onlyListed(shared: SharedKeys): SharedKeys {
  return { find: (digest, local) => local && shared.find(digest, local) };
}

/** Returns each key once; the record of a global key wins. */
function allOf(global: readonly KeyRecord[], others: Iterable<readonly KeyRecord[]>): KeyRecord[] {
  const byDigest = new Map<string, KeyRecord>();
  for (const records of others) for (const record of records) byDigest.set(record.sha256, record);
  for (const record of global) byDigest.set(record.sha256, record);
  return [...byDigest.values()];
}

function createPrincipal({ name, owner, scopes, plan, expiresAtMs, revokedAtMs }: KeyRecord): Principal {
  const endsAtMs = earliest(expiresAtMs, revokedAtMs);
  return Object.freeze({ name, owner, scopes, endsAtMs, ...(plan === undefined ? {} : { plan }) });
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Returns the principal of a verified token. Its name has a colon, which the name of a key never has. */
export function createTokenPrincipal({ owner, scopes, plan, endsAtMs }: TokenClaims): Principal {
  return Object.freeze({ name: owner, owner, scopes, endsAtMs, ...(plan === undefined ? {} : { plan }) });
}

/** Whether a principal is that of a token. */
export function isOfToken({ name }: Principal): boolean {
  return name.includes(':');
}
