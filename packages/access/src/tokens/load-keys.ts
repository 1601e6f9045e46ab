import type { JWK } from 'jose';
import { Counter, type Registry } from 'prom-client';
import { isLoopback, isSecureUrl } from './issuer.ts';

/** Where the public keys of an issuer are. */
export interface KeySource {
  /** Names the issuer in metrics. */
  readonly name: string;
  readonly issuer: string;
  /** By default discovered. */
  readonly jwksUrl: string | undefined;
}

export interface LoadedKeys {
  /** Public members only. */
  readonly keys: readonly JWK[];
  /** How long ago they were fetched. */
  readonly ageMs: number;
}

/** Fetches the keys of an issuer; rejects with a reason for the log. */
export type LoadKeys = (source: KeySource) => Promise<LoadedKeys>;

/** How long discovery and the fetch of the keys may take together. */
const deadlineMs = 5_000;
const documentBytesMax = 256 * 1024;
const keysMax = 100;

export interface KeyLoaderOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly registry: Registry;
}

/**
 * Returns a loader of keys that discovers their URL (OpenID Connect Discovery, RFC 8414) unless it is configured. It
 * follows no redirects and accepts http only on this machine.
 */
export function createKeyLoader({ fetch, registry }: KeyLoaderOptions): LoadKeys {
  const fetches = new Counter({
    name: 'token_key_fetches_total',
    help: 'Fetches of the public keys of an issuer, by outcome: success or failure.',
    labelNames: ['issuer', 'outcome'],
    registers: [registry],
  });

  async function read(url: URL, signal: AbortSignal): Promise<Members | undefined> {
    // A query may contain a secret.
    const place = `${url.origin}${url.pathname}`;
    const response = await fetch(url, { redirect: 'error', signal, headers: { Accept: 'application/json' } });
    if (response.status !== 200) {
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new Error(`${place} responded with ${response.status}.`);
    }
    const text = await readText(response, place);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Error(`${place} did not respond with JSON.`);
    }
    if (typeof value !== 'object' || value === null) throw new Error(`${place} did not respond with a JSON object.`);
    return value as Members;
  }

  async function discover(issuer: string, signal: AbortSignal): Promise<URL> {
    for (const url of discoveryUrls(issuer)) {
      const metadata = await read(url, signal);
      if (metadata === undefined) continue;
      if (metadata.issuer !== issuer) {
        const named = typeof metadata.issuer === 'string' ? `"${metadata.issuer.slice(0, 200)}"` : 'no issuer';
        throw new Error(
          `${url} is the document of ${named}, and the setting names "${issuer}". Both must be equal, with the same "/" at the end.`,
        );
      }
      const found = typeof metadata.jwks_uri === 'string' ? URL.parse(metadata.jwks_uri) : null;
      // An issuer elsewhere must not make this machine call itself.
      if (found === null || !isSecureUrl(found) || (isLoopback(found.hostname) && !isLoopback(url.hostname))) {
        throw new Error(`${url} has no "jwks_uri" that begins with https://.`);
      }
      return found;
    }
    throw new Error(`${issuer} has no discovery document: set jwks_url.`);
  }

  async function load({ issuer, jwksUrl }: KeySource): Promise<LoadedKeys> {
    const signal = AbortSignal.timeout(deadlineMs);
    const url = jwksUrl === undefined ? await discover(issuer, signal) : new URL(jwksUrl);
    const document = await read(url, signal);
    const keys = publicKeysOf(document?.keys);
    if (keys.length === 0) throw new Error(`${url.origin}${url.pathname} contains no public keys.`);
    return { keys, ageMs: 0 };
  }

  return async (source) => {
    try {
      const loaded = await load(source);
      fetches.inc({ issuer: source.name, outcome: 'success' });
      return loaded;
    } catch (error) {
      fetches.inc({ issuer: source.name, outcome: 'failure' });
      throw error;
    }
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Returns where discovery documents of an issuer may be (OpenID Connect Discovery §4, RFC 8414 §3). */
function discoveryUrls(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  return [
    new URL(`${origin}${path}/.well-known/openid-configuration`),
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
  ];
}

async function readText({ body }: Response, place: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > documentBytesMax) throw new Error(`${place} responded with more than ${documentBytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const publicMembers = ['kty', 'kid', 'use', 'key_ops', 'alg', 'crv', 'n', 'e', 'x', 'y'] as const;

/** Returns the asymmetric keys with their public members: a secret that an issuer publishes must verify nothing. */
function publicKeysOf(value: unknown): JWK[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, keysMax).flatMap((key: Members | null) => {
    if (typeof key !== 'object' || key === null || !['RSA', 'EC', 'OKP'].includes(key.kty as string)) return [];
    return [Object.fromEntries(publicMembers.flatMap((name) => (name in key ? [[name, key[name]]] : []))) as JWK];
  });
}
