import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import type { AtEnd } from './at-end.ts';

const audience = 'https://api.example.com';
const client = { client_id: 'orders-app', client_secret: 'a-secret-of-the-orders-app' };

/** The address of a portal behind a proxy that ends TLS. */
export const portalOrigin = 'https://portal.example.com';

/** The client of the developer portal. A native client may have any port. */
export const portalClient = { client_id: 'portal', client_secret: 'a-secret-of-the-developer-portal' };

/** A running OpenID Connect issuer (oidc-provider) whose clients get access tokens as JWT (RFC 9068). */
export interface OidcIssuer {
  readonly url: string;
  /** The secret of the client `orders-app`. */
  readonly clientSecret: string;
  /** The entry of `jwt_issuers`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Returns an access token for the client `orders-app`. */
  token(scope?: string): Promise<string>;
  /** Replaces its keys. */
  rotate(): void;
  /** Stops listening, as in an outage; `start` listens again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Number of requests for its keys. */
  readonly keyRequests: () => number;
}

/**
 * Starts an issuer at which people sign in with any name, on a free port by default. It has verified the addresses of all
 * but those whose name begins with `unverified`.
 */
export async function startOidcIssuer(atEnd: AtEnd, portOrFree = 0): Promise<OidcIssuer> {
  let server = createServer();
  let [port, keyRequests, rotations] = [portOrFree, 0, 0];
  let answer: ReturnType<Provider['callback']> | undefined;

  const listen = async () => {
    server = createServer((req, res) => {
      if (req.url === '/jwks') keyRequests++;
      void answer?.(req, res);
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  const url = `http://127.0.0.1:${port}`;
  const rotate = () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: `key-${++rotations}` } as JWK;
    answer = new Provider(url, configurationOf(jwk)).callback();
  };
  rotate();
  atEnd(stop);

  return {
    url,
    clientSecret: client.client_secret,
    settings: { name: 'corp', issuer: url, audiences: [audience], algorithms: ['ES256'] },
    rotate,
    stop,
    start: listen,
    keyRequests: () => keyRequests,
    async token(scope = 'orders:read') {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...client, grant_type: 'client_credentials', resource: audience, scope }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (body.access_token === undefined) throw new Error(`The issuer responded with ${JSON.stringify(body)}`);
      return body.access_token;
    },
  };
}

function configurationOf(jwk: JWK): Configuration {
  return {
    clients: [
      {
        ...client,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
      {
        ...portalClient,
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code'],
        redirect_uris: ['http://127.0.0.1', portalOrigin].map((origin) => `${origin}/portal/callback`),
      },
    ],
    jwks: { keys: [jwk] } as NonNullable<Configuration['jwks']>,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    scopes: ['openid', 'orders:read', 'orders:write'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        name: `Dev ${accountId}`,
        email: `${accountId}@example.com`,
        email_verified: !accountId.startsWith('unverified'),
      }),
    }),
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'orders:read orders:write',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
}
