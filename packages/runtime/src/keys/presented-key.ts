import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/index.ts';

export type KeyScheme = 'x-api-key' | 'bearer';

const everyScheme: readonly KeyScheme[] = ['x-api-key', 'bearer'];

/**
 * The key a request presents in `X-API-Key` or `Authorization: Bearer` (RFC 6750 §2.1); never one from the query.
 * Null when there is none. An empty value counts as presented: it is wrong, not absent.
 * @throws Problem `key_repeated` when a header is sent twice, or a key in two ways.
 */
export function presentedKey(
  req: Pick<IncomingMessage, 'rawHeaders'>,
  { schemes = everyScheme }: { readonly schemes?: readonly KeyScheme[] } = {},
): string | null {
  const { rawHeaders } = req;
  let header: string | undefined;
  let authorization: string | undefined;
  // The raw list, because Node joins or drops repeated headers; a look at the length spares most comparisons.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      if (header !== undefined) throw repeated();
      header = rawHeaders[i + 1] as string;
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization !== undefined) throw repeated();
      authorization = rawHeaders[i + 1] as string;
    }
  }
  const key = header !== undefined && schemes.includes('x-api-key') ? header : null;
  const token = authorization !== undefined && schemes.includes('bearer') ? bearerToken(authorization) : null;
  if (key !== null && token !== null) throw repeated();
  const presented = key ?? token;
  // No key holds a comma, so one here means that a proxy has joined two headers.
  if (presented?.includes(',')) throw repeated();
  return presented;
}

/** The token of `Bearer <token>`, the scheme in any case (RFC 9110 §11.1); null for other schemes. */
function bearerToken(authorization: string): string | null {
  const end = authorization.indexOf(' ');
  const scheme = end < 0 ? authorization : authorization.slice(0, end);
  if (scheme.length !== 6 || scheme.toLowerCase() !== 'bearer') return null;
  return end < 0 ? '' : authorization.slice(end + 1).trim();
}

function repeated(): Problem {
  return new Problem('key_repeated', 'Send one key or token, once and in one way.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
