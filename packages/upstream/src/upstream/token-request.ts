import { Problem } from '@rostergate/server/problem';
import type { ClientTls } from './connector.ts';
import type { SendOnce } from './upstream.ts';
import { UpstreamFault } from './upstream-fault.ts';
import { discard, type UpstreamResponse } from './upstream-response.ts';
import type { UpstreamToken } from './upstream-session.ts';
import { waitUntil } from './wait-until.ts';

/** The request for a token. It contains secrets. */
export interface TokenRequest {
  /** http or https, without credentials, query and fragment. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tls?: ClientTls | undefined;
}

export interface ClientCredentials {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where client id and secret are sent: in an Authorization header or in the body. */
  readonly authentication: 'basic' | 'post';
  readonly scopes: readonly string[];
  readonly audience?: string | undefined;
  readonly tls?: ClientTls | undefined;
}

/** Returns the request of the client credentials grant (RFC 6749 §4.4). */
export function createClientCredentialsRequest(credentials: ClientCredentials): TokenRequest {
  const { url, clientId, clientSecret, authentication, scopes, audience, tls } = credentials;
  const fields = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) fields.set('scope', scopes.join(' '));
  if (audience !== undefined) fields.set('audience', audience);
  if (authentication === 'post') {
    fields.set('client_id', clientId);
    fields.set('client_secret', clientSecret);
    return { url, headers: formHeaders, body: fields.toString(), tls };
  }
  // Both are form-encoded before they are joined (§2.3.1).
  const pair = [clientId, clientSecret].map(formEncode).join(':');
  const headers = { ...formHeaders, Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  return { url, headers, body: fields.toString(), tls };
}

export interface LoginFields {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: 'form' | 'json';
  readonly tls?: ClientTls | undefined;
}

/** Returns the request of a login that posts fields such as e-mail and password. */
export function createLoginFieldsRequest({ url, fields, body, tls }: LoginFields): TokenRequest {
  return body === 'json'
    ? { url, headers: { ...formHeaders, 'Content-Type': 'application/json' }, body: JSON.stringify(fields), tls }
    : { url, headers: formHeaders, body: new URLSearchParams(fields).toString(), tls };
}

const formHeaders = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };

function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** How long a token may take, retries included. */
export const tokenTimeoutMs = 10_000;

/**
 * Requests a token. Returns `refused` when the server rejects the credentials.
 * @throws Problem that names the token endpoint as the dependency at fault, without secrets.
 */
export async function requestToken(
  send: SendOnce,
  { url, headers, body }: TokenRequest,
  clock: () => number,
): Promise<UpstreamToken | 'refused'> {
  const deadlineMs = clock() + tokenTimeoutMs;
  try {
    const path = new URL(url).pathname;
    const response = await send({ method: 'POST', path, headers, body, deadlineMs, isRepeatable: true });
    if (rejections.has(response.status)) {
      discard(response);
      return 'refused';
    }
    if (response.status !== 200) {
      discard(response);
      throw unusable(`answered ${response.status}`);
    }
    const read = waitUntil(readText(response), { deadlineMs, signal: undefined }, clock);
    return readToken(await read.finally(() => response.body.destroy()));
  } catch (error) {
    throw nameEndpoint(error);
  }
}

const rejections: ReadonlySet<number> = new Set([400, 401, 403]);

function readToken(text: string): UpstreamToken {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may contain a token.
    throw unusable('did not answer with JSON');
  }
  const { access_token, expires_in, token_type = 'bearer' } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token))
    throw unusable('answered without a token');
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') {
    throw unusable('answered with a token that is no bearer token');
  }
  // Some servers write the number as text.
  const seconds = Number(expires_in ?? defaultSeconds);
  if (!(seconds > 0)) throw unusable('answered with a token that has expired');
  return { value: access_token, lifetimeMs: seconds * 1_000 };
}

/** For a token without `expires_in`, which RFC 6749 §5.1 only recommends. */
const defaultSeconds = 300;
const tokenBytesMax = 64 * 1024;

async function readText({ body }: UpstreamResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > tokenBytesMax) throw unusable('answered with more than 64 KiB');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unusable(what: string): Problem {
  return new Problem(
    'upstream_failed',
    `The token endpoint of the upstream ${what}. Tell the operator of this server.`,
  );
}

/** Returns the fault with a detail that names the token endpoint: the upstream itself was not called. */
function nameEndpoint(error: unknown): unknown {
  if (error instanceof UpstreamFault) {
    const { code, reason, headers } = error;
    return new Problem(code, `The token endpoint of the upstream ${failures[reason]}. Try again later.`, {
      headers,
      cause: error,
    });
  }
  if (!(error instanceof Problem) || error.code !== 'unavailable') return error;
  const seconds = error.headers?.['Retry-After'];
  return new Problem(
    'unavailable',
    `The token endpoint of the upstream has failed too often. Retry in ${String(seconds)} s.`,
    { headers: error.headers, cause: error },
  );
}

const failures: Readonly<Record<UpstreamFault['reason'], string>> = {
  unreachable: 'cannot be reached',
  timeout: 'did not respond in time',
  broken: 'broke off its response',
  abandoned: 'was not called, because the request was cancelled',
};
