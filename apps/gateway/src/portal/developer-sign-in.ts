import { createHash } from 'node:crypto';
import { type Issuer, isSecureUrl } from '@rostergate/access/tokens';
import type { Portal } from '@rostergate/endpoints';
import { Problem } from '@rostergate/server/problem';
import * as oidc from 'openid-client';

/** A person who has signed in. */
export interface Developer {
  /** The owner of the keys: `<issuer>:<claim>`, as for tokens of the issuer. */
  readonly owner: string;
  /** How the page addresses the person. */
  readonly name: string;
}

/** What the browser remembers between the redirects of a sign-in. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface DeveloperSignInOptions {
  readonly portal: Pick<Portal, 'client_id' | 'client_authentication' | 'base_url'>;
  readonly issuer: Pick<Issuer, 'name' | 'issuer' | 'owner_claim'>;
  readonly secret: string;
  /** Monotonic milliseconds. */
  readonly steadyClock: () => number;
  /** Called with failures of the issuer. */
  readonly onFailure: (error: unknown) => void;
}

export interface DeveloperSignIn {
  /** Returns where the browser signs in. @throws Problem `unavailable` when the issuer does not respond */
  begin(): Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** Returns who signed in. @throws Problem */
  complete(search: string, pending: PendingSignIn): Promise<Developer>;
}

const callbackPath = '/portal/callback';
/** Each request to the issuer takes at most this long. */
const issuerSeconds = 5;
/** The metadata of the issuer are fetched again after this time. */
const metadataMs = 600_000;

/** Returns the sign-in by the authorization code flow of OpenID Connect, with PKCE. */
export function createDeveloperSignIn(options: DeveloperSignInOptions): DeveloperSignIn {
  const { portal, issuer, secret, steadyClock, onFailure } = options;
  const redirectUri = portal.base_url + callbackPath;
  let discovered: { readonly atMs: number; readonly config: Promise<oidc.Configuration> } | undefined;

  async function discover(): Promise<oidc.Configuration> {
    if (discovered === undefined || steadyClock() - discovered.atMs > metadataMs) {
      const url = new URL(issuer.issuer);
      const authentication = portal.client_authentication === 'basic' ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
      const config = oidc.discovery(url, portal.client_id, {}, authentication(secret), {
        timeout: issuerSeconds,
        execute: [oidc.enableNonRepudiationChecks, ...(isPlain(url) ? [oidc.allowInsecureRequests] : [])],
      });
      const attempt = { atMs: steadyClock(), config };
      discovered = attempt;
      // The next sign-in tries again.
      config.catch(() => {
        if (discovered === attempt) discovered = undefined;
      });
    }
    return discovered.config;
  }

  const unavailable = (error: unknown): Problem => {
    onFailure(error);
    return new Problem('unavailable', 'The issuer of the sign-in does not respond. Try again in a minute.', {
      headers: { 'Retry-After': '60' },
    });
  };

  return {
    async begin() {
      const config = await discover().catch((error: unknown) => {
        throw unavailable(error);
      });
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async complete(search, { state, nonce, verifier }) {
      const config = await discover().catch((error: unknown) => {
        throw unavailable(error);
      });
      const url = new URL(redirectUri);
      url.search = search;
      let claims: oidc.IDToken | undefined;
      try {
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        claims = tokens.claims();
      } catch (error) {
        throw toProblem(error) ?? unavailable(error);
      }
      return developerOf(claims ?? {}, issuer);
    },
  };
}

function isPlain(url: URL): boolean {
  return url.protocol === 'http:' && isSecureUrl(url);
}

/** Returns the problem of a response that fits no sign-in of this browser; undefined for a failure of the issuer. */
function toProblem(error: unknown): Problem | undefined {
  if (error instanceof oidc.AuthorizationResponseError) {
    return new Problem(
      'operation_forbidden',
      'The issuer did not sign you in. Start again, or ask your administrator.',
    );
  }
  const isRejected =
    error instanceof oidc.ResponseBodyError
      ? error.error === 'invalid_grant'
      : error instanceof oidc.ClientError && rejections.has(String(error.code));
  return isRejected ? startAgain({ cause: error }) : undefined;
}

/** Codes of errors in the response that the browser brought, and in the ID token. */
const rejections = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_SIGNATURE_VERIFICATION_FAILED',
  'OAUTH_INVALID_REQUEST',
]);

/** The problem of a sign-in that this browser did not begin, or that is over. */
export function startAgain(options?: ErrorOptions): Problem {
  return new Problem('malformed_request', 'This sign-in has expired or was completed already. Start again.', options);
}

/** Owners that a key may have. Other claims are replaced by their digest, which begins with an underscore. */
const plainClaim = /^[A-Za-z0-9@.|:-][A-Za-z0-9._@:|-]*$/;
const ownerLengthMax = 128;

function developerOf(
  claims: Readonly<Record<string, unknown>>,
  { name, owner_claim }: Pick<Issuer, 'name' | 'owner_claim'>,
): Developer {
  const claim = claims[owner_claim];
  if (typeof claim !== 'string' || claim === '') {
    throw new Problem('operation_forbidden', `The ID token of the issuer has no claim "${owner_claim}".`);
  }
  // Otherwise a person could enter the address of another one.
  if (owner_claim === 'email' && claims.email_verified !== true) {
    throw new Problem('operation_forbidden', 'The issuer has not verified your e-mail address.');
  }
  const plain = `${name}:${claim}`;
  const isPlainOwner = plainClaim.test(claim) && plain.length <= ownerLengthMax;
  const owner = isPlainOwner ? plain : `${name}:_${createHash('sha256').update(claim).digest('hex')}`;
  const shown = [claims.name, claims.preferred_username, claims.email].find((one) => typeof one === 'string' && one);
  return { owner, name: String(shown ?? claim).slice(0, 100) };
}
