import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createIssuerRegistry, createTokenAuthenticator } from '@rostergate/access/tokens';
import { createLocalJWKSet, type JWK, jwtVerify, SignJWT } from 'jose';
import { Registry } from 'prom-client';
import type { Say } from '../compare-servers.ts';
import { type Figure, ratioFigure } from '../figure.ts';

const [issuer, audience, algorithm] = ['https://id.example', 'https://api.example', 'ES256'];
const tokensPerRound = 500;
const rounds = 9;

/** Compares the verification of an access token (ES256, known key) with jose alone, CPU of all threads. */
export async function measureTokens(say: Say): Promise<readonly Figure[]> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: algorithm } as JWK];
  const find = createLocalJWKSet({ keys });
  const alone = (token: string) => jwtVerify(token, find, { algorithms: [algorithm], issuer, audience });
  const ours = createOurs(keys);
  const known = await createToken(privateKey, 0);
  await ours(known);
  const [freshRatios, knownRatios]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const tokens = await Promise.all(Array.from({ length: tokensPerRound }, (_, n) => createToken(privateKey, n)));
    const aloneUs = await costUs(tokens, alone);
    const freshUs = await costUs(tokens, ours);
    const knownUs = await costUs(
      tokens.map(() => known),
      ours,
    );
    // The first round warms up.
    if (round === 0) continue;
    say(`${freshUs.toFixed(0)} µs, repeated ${knownUs.toFixed(1)} µs, jose alone ${aloneUs.toFixed(0)} µs`);
    freshRatios.push(freshUs / aloneUs);
    knownRatios.push(knownUs / aloneUs);
  }
  return [
    ratioFigure({ name: 'gateway: a new JWT (ES256), CPU to jose alone', max: 1.5, unit: '×' }, freshRatios),
    ratioFigure({ name: 'gateway: a repeated JWT, CPU to jose alone', max: 0.1, unit: '×' }, knownRatios),
  ];
}

/** Returns the whole authentication of a request with a token. */
function createOurs(keys: readonly JWK[]): (token: string) => unknown {
  const registry = createIssuerRegistry({
    load: async () => ({ keys, ageMs: 0 }),
    createPrincipal: ({ owner, scopes }) => ({ name: owner, owner, scopes }),
    clock: Date.now,
    steadyClock: () => performance.now(),
    registry: new Registry(),
  });
  const verifier = registry.verifierOf({
    ...{ name: 'corp', issuer, audiences: [audience], algorithms: [algorithm], token_types: ['at+jwt'] },
    ...{ owner_claim: 'sub', scopes_claim: 'scope', plan_claim: '', clock_tolerance_seconds: 5 },
    ...{ keys_refresh_seconds: 300, keys_stale_seconds_max: 86_400 },
  });
  const authenticate = createTokenAuthenticator({ verifiers: [verifier], authenticateKey: undefined });
  return (token) => {
    const authorization = `Bearer ${token}`;
    return authenticate({ req: { rawHeaders: ['Authorization', authorization], headers: { authorization } } });
  };
}

function createToken(key: KeyObject, n: number): Promise<string> {
  const claims = new SignJWT({
    scope: 'orders:read orders:write',
    client_id: 'orders-app',
    jti: `${n}-${Math.random()}`,
  });
  return claims
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: 'one' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(`client-${n}`)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key);
}

/** Returns the CPU microseconds of a verification, one after the other. */
async function costUs(tokens: readonly string[], verify: (token: string) => unknown): Promise<number> {
  const started = process.cpuUsage();
  for (const token of tokens) await verify(token);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / tokens.length;
}
