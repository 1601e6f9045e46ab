import { Problem } from '@rostergate/server/problem';
import type { errors, JWTPayload } from 'jose';
import type { Issuer } from './issuer.ts';
import { type IssuerKeys, type KeyAges, type KeySet, KeysUnavailableError } from './issuer-keys.ts';

/** What a verified token says about its caller. */
export interface TokenClaims {
  /** `<name of the issuer>:<claim>`, printable ASCII: never the owner of a key, whose name has no colon. */
  readonly owner: string;
  readonly scopes: readonly string[];
  /** The plan that the issuer gives the caller; absent for the default. */
  readonly plan?: string;
  /** When the token is rejected, in milliseconds since the epoch: `exp` and the clock tolerance. */
  readonly endsAtMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type TokenOutcome = 'valid' | 'expired' | 'invalid' | 'unavailable';

/** Verifies the access tokens of one issuer (RFC 9068, RFC 8725). */
export interface TokenVerifier<P> {
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  /** Returns the principal of a token that was verified before with the current keys and is still valid. */
  cached(digest: string): P | undefined;
  /**
   * Verifies a token and caches its principal by the digest.
   * @throws Problem 401 `token_invalid` or `token_expired`; 503 `unavailable` while no keys are known
   */
  verify(token: UnverifiedToken, digest: string): Promise<P>;
}

export interface UnverifiedToken {
  readonly text: string;
  readonly header: Readonly<Record<string, unknown>>;
  /** The claim `iss`, which selects the keys that may verify the token. */
  readonly issuer: unknown;
}

export interface TokenVerifierOptions<P> {
  readonly issuer: Issuer;
  readonly keys: IssuerKeys;
  readonly createPrincipal: (claims: TokenClaims) => P;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onOutcome: (outcome: TokenOutcome) => void;
}

interface CacheEntry<P> {
  readonly principal: P;
  /** The keys that verified it: other keys have to verify it again. */
  readonly set: KeySet;
  readonly notBeforeMs: number;
  readonly endsAtMs: number;
}

const cachedMax = 10_000;

export function createTokenVerifier<P>(options: TokenVerifierOptions<P>): TokenVerifier<P> {
  const { issuer, keys, createPrincipal, clock, onOutcome } = options;
  const { clock_tolerance_seconds: clockTolerance } = issuer;
  const ages: KeyAges = {
    refreshMs: issuer.keys_refresh_seconds * 1000,
    staleMsMax: issuer.keys_stale_seconds_max * 1000,
  };
  const types = new Set(issuer.token_types.map((type) => type.toLowerCase()));
  const cache = new Map<string, CacheEntry<P>>();

  const expected = {
    algorithms: [...issuer.algorithms],
    issuer: issuer.issuer,
    audience: [...issuer.audiences],
    requiredClaims: ['sub', 'exp'],
    clockTolerance,
  };

  const check = ({ text }: UnverifiedToken, set: KeySet): Promise<JWTPayload> =>
    set.verify(text, { ...expected, currentDate: new Date(clock()) });

  async function verify(token: UnverifiedToken, digest: string): Promise<P> {
    checkHeader(token, types);
    let set = keys.usable(ages) ?? (await keys.require(ages));
    let payload: JWTPayload;
    try {
      payload = await check(token, set);
    } catch (error) {
      const newer = codeOf(error) === 'ERR_JWKS_NO_MATCHING_KEY' ? await keys.newerThan(set) : undefined;
      if (newer === undefined) throw error;
      set = newer;
      payload = await check(token, set);
    }
    const { exp, nbf = 0, cnf } = payload as { exp: number; nbf?: number; cnf?: unknown };
    if (!Number.isFinite(exp)) throw invalid('The claim "exp" of the token is not a time.');
    // Such a token is bound to a key of its client (RFC 7800), and no bearer token.
    if (cnf !== undefined) throw invalid('The token is bound to a key of its client: request a bearer token.');
    const scopes = scopesOf(payload[issuer.scopes_claim], issuer.scopes_claim);
    const plan = planOf(payload, issuer.plan_claim);
    const named = plan === undefined ? {} : { plan };
    const toleranceMs = clockTolerance * 1000;
    const endsAtMs = exp * 1000 + toleranceMs;
    const principal = createPrincipal({ owner: ownerOf(payload, issuer), scopes, ...named, endsAtMs, payload });
    const entry = { principal, set, notBeforeMs: nbf * 1000 - toleranceMs, endsAtMs };
    if (cache.size >= cachedMax) cache.delete(cache.keys().next().value as string);
    cache.set(digest, entry);
    return principal;
  }

  return {
    issuer: issuer.issuer,
    cached(digest) {
      const entry = cache.get(digest);
      if (entry === undefined) return undefined;
      const nowMs = clock();
      if (entry.set !== keys.usable(ages) || entry.notBeforeMs > nowMs || entry.endsAtMs <= nowMs) {
        cache.delete(digest);
        return undefined;
      }
      onOutcome('valid');
      return entry.principal;
    },
    async verify(token, digest) {
      try {
        const principal = await verify(token, digest);
        onOutcome('valid');
        return principal;
      } catch (error) {
        const problem = toTokenProblem(error);
        onOutcome(outcomeOf(problem));
        throw problem;
      }
    },
  };
}

function outcomeOf({ code }: Problem): TokenOutcome {
  return code === 'token_expired' ? 'expired' : code === 'unavailable' ? 'unavailable' : 'invalid';
}

/** Checks the parts of the header that no key is needed for. References to keys in it are never followed. */
function checkHeader({ header: { crit, b64, typ } }: UnverifiedToken, types: ReadonlySet<string>): void {
  // No extension of RFC 7515 is supported, and a token with an unencoded payload (RFC 7797) is none.
  if (crit !== undefined || b64 !== undefined) {
    throw invalid('The header of the token has critical parameters, which this server does not support.');
  }
  const type =
    typ === undefined ? 'jwt' : typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (!types.has(type)) {
    throw invalid('The token is not of the required type ("typ"). Send an access token, not an ID token.');
  }
}

function ownerOf(payload: JWTPayload, { name, owner_claim: claim }: Issuer): string {
  const { sub, [claim]: value } = payload;
  for (const [named, text] of [
    ['sub', sub],
    [claim, value],
  ] as const) {
    if (text === undefined) throw invalid(missingClaim(named));
    // Owners are in limits, logs and headers.
    if (typeof text !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/.test(text)) {
      throw invalid(`The claim "${named}" of the token must be printable ASCII of at most 256 characters.`);
    }
  }
  return `${name}:${value as string}`;
}

function planOf(payload: JWTPayload, claim: string): string | undefined {
  const plan = claim === '' ? undefined : payload[claim];
  if (plan === undefined || plan === null) return undefined;
  if (typeof plan === 'string') return plan;
  throw invalid(`The claim "${claim}" of the token must be text.`);
}

const scopePattern = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,128}$/;
const noScopes: readonly string[] = Object.freeze([]);

function scopesOf(value: unknown, claim: string): readonly string[] {
  if (value === undefined || value === null) return noScopes;
  const list: unknown = typeof value === 'string' ? value.split(' ') : value;
  if (!Array.isArray(list)) throw invalid(`The claim "${claim}" of the token must be a list or text.`);
  return Object.freeze(list.filter((scope) => typeof scope === 'string' && scopePattern.test(scope)));
}

/** Returns the problem of an error of jose. It says what to fix, and never what is accepted. */
function toTokenProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof KeysUnavailableError) {
    const seconds = Math.max(1, Math.ceil(error.retryMs / 1000));
    return new Problem('unavailable', `Tokens cannot be verified now. Retry in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
      cause: error,
    });
  }
  switch (codeOf(error)) {
    case 'ERR_JWT_EXPIRED':
      return new Problem('token_expired', 'Request a new token from its issuer.', { headers: challenge });
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return invalid(describeClaim(error as errors.JWTClaimValidationFailed));
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return invalid('The algorithm of the token ("alg") is not accepted.');
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return invalid('The signature does not match. Send the token exactly as it was issued.');
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return invalid('The issuer has no single key that the token names ("kid"). Request a new token.');
    case 'ERR_JWS_INVALID':
    case 'ERR_JWT_INVALID':
      return invalid(malformed);
    default:
      return invalid('The token cannot be verified with the keys of its issuer.', error);
  }
}

/** Returns the code of an error of jose. */
function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null | undefined)?.code;
}

export const malformed = 'Send the token exactly as it was issued: three parts in base64url, with dots between them.';

function describeClaim({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return missingClaim(claim);
  if (claim === 'nbf') return 'The token is not valid yet ("nbf"). Compare the clock of its issuer.';
  if (claim === 'aud') return 'The token is for another audience ("aud"). Request one for this API.';
  return `The claim "${claim}" of the token is not accepted.`;
}

function missingClaim(claim: string): string {
  return `The token has no claim "${claim}".`;
}

const challenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };

export function invalid(detail: string, cause?: unknown): Problem {
  return new Problem('token_invalid', detail, { headers: challenge, cause });
}
