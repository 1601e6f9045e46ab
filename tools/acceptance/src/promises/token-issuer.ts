import { sign as createSignature, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';

/** Serves the public key of an issuer, and signs any tokens in its name. */
export interface TokenIssuer {
  /** The entry of `jwt_issuers`, with the name `corp`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Returns a valid token, except for the claims that are replaced. */
  token(claims?: Readonly<Record<string, unknown>>): string;
  /** Returns the same token with the signature of another key. */
  forgedToken(): string;
  /** Returns a token with more members as JSON text, such as `"a":[1]`, and a valid signature. */
  tokenWith(members: { readonly header?: string; readonly claims?: string }): string;
  /** Whether it responds with its public keys from now on; otherwise it breaks off connections. */
  setAway(isAway: boolean): void;
}

const issuer = 'https://id.example.com';
const audience = 'https://api.example.com';

export async function startTokenIssuer(atEnd: AtEnd): Promise<TokenIssuer> {
  const [own, other] = [createKeyPair(), createKeyPair()];
  const keys = [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }];
  let isAway = false;
  const { url, stop } = await startListener((_req, res) => {
    if (isAway) res.destroy();
    else res.end(JSON.stringify({ keys }));
  });
  atEnd(stop);
  const header = { alg: 'ES256', typ: 'at+jwt', kid: 'one' };
  const claimsNow = (claims: Readonly<Record<string, unknown>> = {}) => {
    const seconds = Math.floor(Date.now() / 1000);
    const usual = {
      iss: issuer,
      aud: audience,
      sub: 'token-client',
      jti: randomUUID(),
      iat: seconds,
      exp: seconds + 7_200,
    };
    return { ...usual, ...claims };
  };
  return {
    settings: { name: 'corp', issuer, audiences: [audience], jwks_url: url },
    token: (claims) => sign(own.privateKey, JSON.stringify(header), JSON.stringify(claimsNow(claims))),
    forgedToken: () => sign(other.privateKey, JSON.stringify(header), JSON.stringify(claimsNow())),
    setAway(value) {
      isAway = value;
    },
    tokenWith: (more) => sign(own.privateKey, addMembers(header, more.header), addMembers(claimsNow(), more.claims)),
  };
}

function sign(key: KeyObject, header: string, claims: string): string {
  const text = [header, claims].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const signature = createSignature('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** Returns an object in JSON with more members at its end, which replace those of the same name. */
function addMembers(value: object, members = ''): string {
  return members === '' ? JSON.stringify(value) : `${JSON.stringify(value).slice(0, -1)},${members}}`;
}

function createKeyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
