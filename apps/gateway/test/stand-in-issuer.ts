import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { LoadKeys } from '@rostergate/access/tokens';
import { type JWK, type JWTPayload, SignJWT } from 'jose';

export const issuerUrl = 'https://id.example';
export const audience = 'https://api.example';

/** The entry of `jwt_issuers` for the stand-in. */
export const corp = { name: 'corp', issuer: issuerUrl, audiences: [audience], algorithms: ['ES256'] };

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
}

export function createSigningKey(kid: string, more: JWK = {} as JWK): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid, use: 'sig', ...more } };
}

/** An issuer without a network, whose keys and failures a test sets. */
export interface StandInIssuer {
  keys: readonly JWK[];
  /** Fetches fail while it is set. */
  failure: Error | undefined;
  /** The number of fetches. */
  fetches: number;
  readonly loadKeys: LoadKeys;
}

export function createStandInIssuer(...keys: readonly SigningKey[]): StandInIssuer {
  const issuer: StandInIssuer = {
    keys: keys.map(({ jwk }) => jwk),
    failure: undefined,
    fetches: 0,
    async loadKeys() {
      issuer.fetches++;
      if (issuer.failure !== undefined) throw issuer.failure;
      return { keys: issuer.keys, ageMs: 0 };
    },
  };
  return issuer;
}

export interface TokenOptions {
  /** Replaces claims; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Replaces header parameters. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly nowMs?: number;
}

/** Returns a token that the gateway accepts, unless claims or header are replaced. */
export function signToken(key: SigningKey, { claims = {}, header = {}, nowMs = Date.now() }: TokenOptions = {}) {
  const seconds = Math.floor(nowMs / 1000);
  const payload: JWTPayload = {
    iss: issuerUrl,
    aud: audience,
    sub: 'client-1',
    client_id: 'client-1',
    iat: seconds,
    exp: seconds + 300,
    jti: randomUUID(),
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
    .sign(key.privateKey);
}

/** Returns a token of any header and payload, signed with ES256 over their exact texts. */
export function signParts(key: SigningKey, header: string | object, payload: string | object | Buffer): string {
  const part = (value: string | object) =>
    Buffer.from(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString(
      'base64url',
    );
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

export const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
