import type { Issuer, IssuerRegistry, TokenClaims, TokenVerifier } from '@rostergate/access/tokens';
import { Problem } from '@rostergate/server/problem';
import type { IssuerSettings } from './issuers-field.ts';
import type { StaffKey } from './proxy-keys.ts';

/** An entry of `tokens` in the keys file: callers of an issuer, and what they may do. */
export interface TokenRule {
  readonly issuer: string;
  /** By default the claim that names the owner. */
  readonly claim: string | undefined;
  readonly value: string;
  readonly rights: Pick<
    StaffKey,
    'account' | 'companyKey' | 'forbidden' | 'granted' | 'keepsUnknownMembers' | 'scopes' | 'plan'
  >;
}

/** Returns the verifiers of tokens for one configuration: each caller has the rights of the first rule that fits. */
export function createTokenVerifiers(
  issuers: readonly IssuerSettings[],
  rules: readonly TokenRule[],
  registry: Pick<IssuerRegistry<TokenClaims>, 'verifierOf'>,
): readonly TokenVerifier<StaffKey>[] {
  return issuers.map((settings) => {
    const issuer = toIssuer(settings);
    const { issuer: iss, cached, verify } = registry.verifierOf(issuer);
    const own = rules.filter((rule) => rule.issuer === issuer.name);
    // The registry caches the claims, so each token has one caller while this configuration serves.
    const callers = new WeakMap<TokenClaims, StaffKey>();
    const callerOf = (claims: TokenClaims): StaffKey => {
      const caller = callers.get(claims) ?? findCaller(claims, issuer, own);
      callers.set(claims, caller);
      return caller;
    };
    return {
      issuer: iss,
      cached(digest) {
        const claims = cached(digest);
        return claims && callerOf(claims);
      },
      verify: async (token, digest) => callerOf(await verify(token, digest)),
    };
  });
}

/** Returns an issuer of the settings for the registry. Scopes and plan follow from the entry, not from the token. */
export function toIssuer(settings: IssuerSettings): Issuer {
  return { ...settings, scopes_claim: 'scope', plan_claim: '' };
}

function findCaller({ owner, payload }: TokenClaims, issuer: Issuer, rules: readonly TokenRule[]): StaffKey {
  const rule = rules.find(({ claim = issuer.owner_claim, value }) => {
    const given = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
    return Array.isArray(given) ? given.includes(value) : given === value;
  });
  if (rule === undefined) {
    throw new Problem('operation_forbidden', 'This token has no service account. Ask the operator to assign one.');
  }
  return Object.freeze({ name: owner, owner, sha256: '', ...rule.rights });
}
