import type { Authenticate, Principal, Route } from '@rostergate/runtime/contract';
import { createKeyAuthenticator, createKeyring, type KeyRecord } from '@rostergate/runtime/keys';
import type { Limiter } from '@rostergate/runtime/limits';
import { Problem } from '@rostergate/runtime/problem';

export interface AuthenticationOptions {
  readonly keys: readonly KeyRecord[];
  /** By operationId. They replace the global ones. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  readonly clock: () => number;
  /** Charged for wrong keys where the route itself is not counted. */
  readonly limiter?: Limiter<Principal> | undefined;
}

export interface Authentication {
  readonly authenticate: Authenticate<Principal>;
  /** What a secured route without keys of its own would say of the request's key; throws the 401 it would answer. */
  readonly check: (context: Pick<Parameters<Authenticate<Principal>>[0], 'req'>) => Principal | null;
}

/**
 * Keys by X-API-Key or as a bearer token. A wrong one is refused on every route, public ones too, except where the
 * contract says `x-wrong-key: reported`.
 */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { clock, limiter } = options;
  const authenticatorOf = (keys: readonly KeyRecord[]) => {
    const keyring = createKeyring(keys);
    return createKeyAuthenticator({ keyring: () => keyring, createPrincipal, clock });
  };
  const check = authenticatorOf(options.keys);
  const own = new Map([...options.endpointKeys].map(([id, keys]) => [id, authenticatorOf(keys)]));

  return {
    check,
    authenticate(context) {
      const { route } = context;
      try {
        return (own.get(route.operationId) ?? check)(context);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (isWrongKeyReported(route)) return null;
        if (!route.isRateLimitExempt || limiter === undefined) throw error;
        return chargeAndRefuse(limiter, context, error);
      }
    },
  };
}

/** Routes that are not counted would otherwise let anyone try keys without end. */
async function chargeAndRefuse(
  limiter: Limiter<Principal>,
  context: Parameters<Limiter<Principal>['chargeAddress']>[0],
  refusal: Problem,
): Promise<never> {
  await limiter.chargeAddress(context);
  throw refusal;
}

function createPrincipal({ name, owner, scopes }: KeyRecord): Principal {
  return Object.freeze({ name, owner, scopes });
}

function isWrongKeyReported(route: Route): boolean {
  return route.operation['x-wrong-key'] === 'reported';
}
