import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';

/** Serves the public key of an issuer, and signs any tokens in its name. */
export interface TokenIssuer {
  /** The entry of `jwt_issuers`, with the name `corp`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Returns a valid token, except for the claims that are replaced. */
  token(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Returns the same token with the signature of another key. */
  forgedToken(): Promise<string>;
}

const issuer = 'https://id.example.com';
const audience = 'https://api.example.com';

export async function startTokenIssuer(atEnd: AtEnd): Promise<TokenIssuer> {
  const [own, other] = [createKeyPair(), createKeyPair()];
  const keys = [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }];
  const { url, stop } = await startListener((_req, res) => res.end(JSON.stringify({ keys })));
  atEnd(stop);
  const sign = ({ privateKey }: typeof own, claims: Readonly<Record<string, unknown>> = {}) => {
    const seconds = Math.floor(Date.now() / 1000);
    const usual = {
      iss: issuer,
      aud: audience,
      sub: 'token-client',
      jti: randomUUID(),
      iat: seconds,
      exp: seconds + 7_200,
    };
    const token = new SignJWT({ ...usual, ...claims });
    return token.setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'one' }).sign(privateKey);
  };
  return {
    settings: { name: 'corp', issuer, audiences: [audience], jwks_url: url },
    token: (claims) => sign(own, claims),
    forgedToken: () => sign(other),
  };
}

function createKeyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
