import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { CompactEncrypt, type JWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  audience,
  bearer,
  corp,
  createSigningKey,
  createStandInIssuer,
  issuerUrl,
  signParts,
  signToken,
} from './stand-in-issuer.ts';
import { problemOf, startGateway } from './start-gateway.ts';

const key = createSigningKey('first');
const attacker = createSigningKey('first');
const [twin, otherTwin] = [createSigningKey('twin'), createSigningKey('twin')];
const forEncryption = createSigningKey('for-encryption', { use: 'enc' } as JWK);
const forOtherAlgorithm = createSigningKey('for-es384', { alg: 'ES384' } as JWK);
const forSigning = createSigningKey('for-signing', { key_ops: ['sign'] } as JWK);
const secret = { kid: 'secret', jwk: { kty: 'oct', kid: 'secret', k: randomBytes(32).toString('base64url') } };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const shortRsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const rsaJwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' } as JWK;
const shortJwk = { ...shortRsa.publicKey.export({ format: 'jwk' }), kid: 'short' } as JWK;

const seconds = Math.floor(Date.now() / 1000);
const claims = { iss: issuerUrl, aud: audience, sub: 'client-1', exp: seconds + 300 };
const header = { alg: 'ES256', typ: 'at+jwt', kid: 'first' };

const part = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function hmacToken(alg: string, text: string | Buffer, kid: string): string {
  const input = `${part({ ...header, alg, kid })}.${part(claims)}`;
  return `${input}.${createHmac(`sha${alg.slice(2)}`, text)
    .update(input)
    .digest('base64url')}`;
}

const withoutClaim = (name: string) => signToken(key, { claims: { [name]: undefined } });
const withClaims = (more: object) => signToken(key, { claims: { ...more } });
const withHeader = (more: object) => signToken(key, { header: { ...more } });
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;

/** Attacks of RFC 8725 and of RFC 7515 to 7519, each with the start of the response's detail. */
const attacks: Readonly<Record<string, readonly [() => string | Promise<string>, RegExp, string?]>> = {
  'alg none without a signature': [
    () => `${part({ ...header, alg: 'none' })}.${part(claims)}.`,
    /^(Send|The algorithm)/,
  ],
  'alg none with a signature': [
    async () => [part({ ...header, alg: 'none' }), ...(await withClaims({})).split('.').slice(1)].join('.'),
    /^(Send|The algorithm)/,
  ],
  'alg NoNe': [() => `${part({ ...header, alg: 'NoNe' })}.${part(claims)}.AA`, /^The algorithm/],
  'no alg': [() => signParts(key, { typ: 'at+jwt', kid: 'first' }, claims), /^Send the token exactly/],
  'HMAC with the public key as PEM': [() => hmacToken('HS256', pem, 'rsa'), /^The algorithm/],
  'HMAC with the public key as JWK': [() => hmacToken('HS256', JSON.stringify(rsaJwk), 'rsa'), /^The algorithm/],
  'HMAC with an empty secret': [() => hmacToken('HS256', '', 'first'), /^The algorithm/],
  'HMAC with a secret that the issuer publishes': [
    () => hmacToken('HS256', Buffer.from(secret.jwk.k, 'base64url'), 'secret'),
    /^The algorithm/,
  ],
  'an algorithm that is not listed': [
    () => new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256', kid: 'rsa' }).sign(rsa.privateKey),
    /^The algorithm/,
  ],
  'an algorithm with another curve in the name': [
    () => signParts(key, { ...header, alg: 'ES384' }, claims),
    /^The algorithm/,
  ],
  'a signature of another key with the same kid': [() => signToken(attacker), /^The signature/],
  'a signature of zeros': [
    async () => [...(await withClaims({})).split('.').slice(0, 2), Buffer.alloc(64).toString('base64url')].join('.'),
    /^The signature/,
  ],
  'no signature': [
    async () => [...(await withClaims({})).split('.').slice(0, 2), ''].join('.'),
    /^(Send|The signature)/,
  ],
  'a signature cut short': [async () => (await withClaims({})).slice(0, -4), /^(Send|The signature)/],
  'a signature in ASN.1 instead of two numbers': [
    async () => {
      const [head, body] = (await withClaims({})).split('.');
      const { sign } = await import('node:crypto');
      return `${head}.${body}.${sign('sha256', Buffer.from(`${head}.${body}`), key.privateKey).toString('base64url')}`;
    },
    /^The signature/,
  ],
  'a changed payload': [
    async () => {
      const [head, , signature] = (await withClaims({})).split('.');
      return `${head}.${part({ ...claims, sub: 'admin' })}.${signature}`;
    },
    /^The signature/,
  ],
  'no exp': [() => withoutClaim('exp'), /^The token has no claim "exp"/],
  'no iss': [() => withoutClaim('iss'), /^The token is from another issuer/],
  'no aud': [() => withoutClaim('aud'), /^The token has no claim "aud"/],
  'no sub': [() => withoutClaim('sub'), /^The token has no claim "sub"/],
  'another aud': [() => withClaims({ aud: 'https://other.example' }), /^The token is for another audience/],
  'a longer aud': [() => withClaims({ aud: `${audience}/` }), /^The token is for another audience/],
  'other auds in a list': [() => withClaims({ aud: ['a', 'b'] }), /^The token is for another audience/],
  'an empty list of auds': [() => withClaims({ aud: [] }), /^The token is for another audience/],
  'aud as an object': [() => withClaims({ aud: { [audience]: true } }), /^The token is for another audience/],
  'another iss': [() => withClaims({ iss: 'https://id.example.evil' }), /^The token is from another issuer/],
  'iss with a slash more': [() => withClaims({ iss: `${issuerUrl}/` }), /^The token is from another issuer/],
  'iss as a list': [() => withClaims({ iss: [issuerUrl] }), /^The token is from another issuer/],
  'an ID token': [() => withHeader({ typ: 'JWT' }), /^The token is not of the required type/],
  'a logout token': [() => withHeader({ typ: 'logout+jwt' }), /^The token is not of the required type/],
  'no typ': [() => withHeader({ typ: undefined }), /^The token is not of the required type/],
  'typ as a list': [
    () => signParts(key, { ...header, typ: ['at+jwt'] }, claims),
    /^The token is not of the required type/,
  ],
  expired: [() => withClaims({ exp: seconds - 60 }), /^Request a new token/, 'token_expired'],
  'exp as text': [() => withClaims({ exp: String(seconds + 60) }), /^The claim "exp"/],
  'exp beyond all numbers': [
    () => signParts(key, header, `{"iss":"${issuerUrl}","aud":"${audience}","sub":"a","exp":1e999}`),
    /^The claim "exp"/,
  ],
  'exp null': [() => signParts(key, header, { ...claims, exp: null }), /^The claim "exp"/],
  'nbf in the future': [() => withClaims({ nbf: seconds + 200 }), /^The token is not valid yet/],
  'nbf as text': [() => withClaims({ nbf: '0' }), /^The token is not valid yet|^The claim "nbf"/],
  'crit with an unknown name': [() => signParts(key, { ...header, crit: ['x'], x: 1 }, claims), /critical parameters/],
  'crit empty': [() => signParts(key, { ...header, crit: [] }, claims), /critical parameters/],
  'b64 false': [() => signParts(key, { ...header, b64: false, crit: ['b64'] }, claims), /critical parameters/],
  'b64 false without crit': [() => signParts(key, { ...header, b64: false }, claims), /critical parameters/],
  'jwk of the attacker': [() => signToken(attacker, { header: { jwk: attacker.jwk } }), /^The signature/],
  'jwk of the attacker without a kid': [
    () => signToken(attacker, { header: { jwk: attacker.jwk, kid: undefined } }),
    /^(The issuer has no single key|The signature)/,
  ],
  'jku of the attacker': [
    () => signToken(attacker, { header: { jku: 'http://127.0.0.1:1/keys', kid: 'evil' } }),
    /^The issuer has no single key/,
  ],
  'x5u of the attacker': [() => signToken(attacker, { header: { x5u: 'http://127.0.0.1:1/' } }), /^The signature/],
  'x5c of the attacker': [() => signToken(attacker, { header: { x5c: ['MIIB'] } }), /^The signature/],
  'an unknown kid': [() => withHeader({ kid: 'unknown' }), /^The issuer has no single key/],
  'a kid that is a path': [() => withHeader({ kid: '../../dev/null' }), /^The issuer has no single key/],
  'a kid that is SQL': [() => withHeader({ kid: "' OR 1=1 --" }), /^The issuer has no single key/],
  'a kid that is a number': [
    () => signParts(key, { ...header, kid: 1 }, claims),
    /^(The issuer has|The token cannot|Send)/,
  ],
  'a kid that two keys have': [() => signToken(twin), /^The issuer has no single key/],
  'no kid where there are several keys': [() => withHeader({ kid: undefined }), /^The issuer has no single key/],
  'a key for encryption': [() => signToken(forEncryption), /^The issuer has no single key/],
  'a key for another algorithm': [() => signToken(forOtherAlgorithm), /^The issuer has no single key/],
  'a key that may not verify': [() => signToken(forSigning), /^The issuer has no single key/],
  'a token bound to a key of the client': [() => withClaims({ cnf: { jkt: 'x' } }), /^The token is bound to a key/],
  'more than 8 KiB': [() => withClaims({ more: 'x'.repeat(8_192) }), /^Send a token of at most/],
  'an encrypted token': [
    async () => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const encrypt = new CompactEncrypt(Buffer.from(JSON.stringify(claims)));
      return encrypt.setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }).encrypt(publicKey);
    },
    /^Send an access token/,
  ],
  'a token in a token': [
    async () => signParts(key, { ...header, cty: 'JWT' }, await withClaims({})),
    /^Send the token exactly/,
  ],
  'a payload that is a list': [() => signParts(key, header, [claims]), /^Send the token exactly/],
  'a payload that is null': [() => signParts(key, header, 'null'), /^Send the token exactly/],
  'a payload that is no JSON': [() => signParts(key, header, '{"iss":'), /^Send the token exactly/],
  'a header that is no JSON': [() => signParts(key, '{', claims), /^Send the token exactly/],
  'a header that is a list': [() => signParts(key, '[]', claims), /^Send the token exactly/],
  'invalid UTF-8 in the payload': [
    () => signParts(key, header, Buffer.concat([Buffer.from('{"sub":"'), Buffer.from([0xff]), Buffer.from('"}')])),
    /^Send the token exactly/,
  ],
  'invalid UTF-8 in a part of the payload': [
    () => {
      const text = JSON.stringify({ ...claims, name: '??' });
      return signParts(key, header, Buffer.from(text.replace('??', '\xff\xfe'), 'latin1'));
    },
    /^Send the token exactly/,
  ],
  'the alphabet of plain base64': [() => `${part(header)}.${part(claims)}.+/==`, /^Send the token exactly/],
  padding: [async () => `${await withClaims({})}=`, /^Send the token exactly/],
  'an empty header': [
    async () => `.${(await withClaims({})).split('.').slice(1).join('.')}`,
    /^Send the token exactly/,
  ],
  'only dots': [() => '..', /^Send the token exactly/],
  'a token with a space': [async () => (await withClaims({})).replace('.', '. '), /^Send the token exactly/],
  'an owner with a line break': [() => withClaims({ sub: 'a\nb' }), /^The claim "sub"/],
  'an owner with letters beyond ASCII': [() => withClaims({ sub: 'ä' }), /^The claim "sub"/],
  'an owner that is empty': [() => withClaims({ sub: '' }), /^The claim "sub"/],
  'an owner that is too long': [() => withClaims({ sub: 'x'.repeat(257) }), /^The claim "sub"/],
  'an owner that is a number': [() => withClaims({ sub: 1 }), /^The claim "sub"/],
};

async function start(more: object = {}, clock: () => number = Date.now) {
  const issuer = createStandInIssuer(key, twin, otherTwin, forEncryption, forOtherAlgorithm, forSigning);
  issuer.keys = [...issuer.keys, secret.jwk as JWK, rsaJwk, shortJwk];
  return startGateway({
    endpoints: [{ path: '/tokens', service: 'echo', auth: ['jwt:corp'] }],
    loadKeys: issuer.loadKeys,
    clock,
    settings: { jwt_issuers: [{ ...corp, ...more }] },
  });
}

describe('a forged or wrong token', () => {
  it('401 with WWW-Authenticate and a remedy: each attack of RFC 8725', async () => {
    const { fetch } = await start();
    const accepted = await fetch('/tokens', bearer(await signToken(key)));
    expect(accepted.status).toBe(200);
    for (const [name, [create, detail, code = 'token_invalid']] of Object.entries(attacks)) {
      const response = await fetch('/tokens', bearer(await create()));
      expect(response.headers.get('www-authenticate'), name).toBe('Bearer error="invalid_token"');
      const problem = await problemOf(response);
      expect(problem, name).toMatchObject({
        answered: 401,
        mediaType: 'application/problem+json',
        code,
        requestId: true,
      });
      expect(problem.detail, name).toMatch(detail);
      // A response names the fault, and never what would be accepted.
      for (const text of [issuerUrl, audience, 'ES256', 'at+jwt', 'first']) {
        expect(JSON.stringify(problem), name).not.toContain(text);
      }
    }
  });

  it('401: RSA keys of less than 2048 bits, and RSA-PSS where RS256 is listed', async () => {
    const { fetch } = await start({ algorithms: ['RS256'] });
    const sign = (alg: string, kid: string, from: typeof rsa) =>
      new SignJWT(claims).setProtectedHeader({ ...header, alg, kid }).sign(from.privateKey);
    expect((await fetch('/tokens', bearer(await sign('RS256', 'rsa', rsa)))).status).toBe(200);
    expect((await fetch('/tokens', bearer(await sign('PS256', 'rsa', rsa)))).status).toBe(401);
    const { sign: signBytes } = await import('node:crypto');
    const input = `${part({ ...header, alg: 'RS256', kid: 'short' })}.${part(claims)}`;
    const short = `${input}.${signBytes('sha256', Buffer.from(input), shortRsa.privateKey).toString('base64url')}`;
    expect(await problemOf(await fetch('/tokens', bearer(short)))).toMatchObject({
      answered: 401,
      code: 'token_invalid',
    });
  });

  it('200: a good token with references to keys, which are never followed', async () => {
    const { fetch } = await start();
    const header = { jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/', jwk: attacker.jwk, x5c: ['MIIB'] };
    expect((await fetch('/tokens', bearer(await signToken(key, { header })))).status).toBe(200);
  });

  it('200: an audience in a list, a type with "application/", and clocks that differ by the tolerance', async () => {
    const nowMs = Date.now();
    const { fetch } = await start({}, () => nowMs);
    const status = async (options: Parameters<typeof signToken>[1]) =>
      (await fetch('/tokens', bearer(await signToken(key, { nowMs, ...options })))).status;
    expect(await status({ claims: { aud: ['a', audience] } })).toBe(200);
    expect(await status({ header: { typ: 'application/AT+JWT' } })).toBe(200);
    const now = Math.floor(nowMs / 1000);
    expect(await status({ claims: { exp: now - 2 } })).toBe(200);
    expect(await status({ claims: { nbf: now + 3 } })).toBe(200);
  });

  it('200: no type, if the issuer has the type JWT', async () => {
    const { fetch } = await start({ token_types: ['JWT'] });
    const status = async (typ: string | undefined) =>
      (await fetch('/tokens', bearer(await signToken(key, { header: { typ } })))).status;
    expect([await status('JWT'), await status(undefined), await status('at+jwt')]).toEqual([200, 200, 401]);
  });
});
