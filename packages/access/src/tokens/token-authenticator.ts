import type { IncomingMessage } from 'node:http';
import { Problem } from '@rostergate/server/problem';
import { type Presenting, presentedKey } from '../keys/key-authenticator.ts';
import { digestOn } from '../keys/keyring.ts';
import { invalid, malformed, type TokenVerifier, type UnverifiedToken } from './token-verifier.ts';

/** The members of a request that hold a key or token. */
export type PresentingToken = Presenting & Pick<IncomingMessage, 'headers'>;

export interface TokenAuthenticatorOptions<P> {
  /** Of the accepted issuers. */
  readonly verifiers: readonly TokenVerifier<P>[];
  /** Authenticates a key; undefined where no key is accepted. */
  readonly authenticateKey: ((context: { readonly req: PresentingToken }) => P | null | Promise<P | null>) | undefined;
  /** Called for a token of no accepted issuer. */
  readonly onForeign?: () => void;
}

const tokenCharsMax = 8_192;

/**
 * Returns an authenticator of tokens beside keys. A bearer credential of three dotted parts is a token and never a key;
 * everything else is a key.
 * @throws Problem 401 `token_invalid`, `token_expired` or `key_repeated`, 503 `unavailable`, or that of the key
 */
export function createTokenAuthenticator<P>(
  options: TokenAuthenticatorOptions<P>,
): (context: { readonly req: PresentingToken }) => P | null | Promise<P | null> {
  const { verifiers, authenticateKey, onForeign } = options;

  async function verify(text: string, digest: string): Promise<P> {
    const token = parseToken(text);
    let failure: unknown;
    for (const verifier of verifiers) {
      if (verifier.issuer !== token.issuer) continue;
      try {
        return await verifier.verify(token, digest);
      } catch (error) {
        // Keys that are missing may be the reason that no issuer accepts the token.
        if (!(failure instanceof Problem && failure.status === 503)) failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    onForeign?.();
    throw invalid('The token is from another issuer ("iss"), or has none.');
  }

  return (context) => {
    const { req } = context;
    const presented = presentedKey(req);
    if (presented === null) return null;
    if (!hasThreeParts(presented) || req.headers['x-api-key'] !== undefined) {
      if (authenticateKey !== undefined) return authenticateKey(context);
      throw invalid('Send an access token as Authorization: Bearer. Keys are not accepted here.');
    }
    if (presented.length > tokenCharsMax) throw invalid(`Send a token of at most ${tokenCharsMax} characters.`);
    const digest = digestOn(req.socket, presented);
    for (let i = 0; i < verifiers.length; i++) {
      const principal = (verifiers[i] as TokenVerifier<P>).cached(digest);
      if (principal !== undefined) return principal;
    }
    return verify(presented, digest);
  };
}

/** Returns the claims of the token of a request that an authenticator has accepted. */
export function claimsOf(req: PresentingToken): Readonly<Record<string, unknown>> {
  return parseToken(presentedKey(req) ?? '').payload;
}

function hasThreeParts(text: string): boolean {
  const first = text.indexOf('.');
  const second = first < 0 ? -1 : text.indexOf('.', first + 1);
  return second >= 0 && text.indexOf('.', second + 1) < 0;
}

/** Parses a token without verifying it. */
function parseToken(text: string): UnverifiedToken & { readonly payload: Members } {
  // Stricter than decoders, which ignore spaces, padding and the other alphabet.
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) throw invalid(malformed);
  const [header, payload] = text.split('.', 2).map(parsePart);
  if (header === undefined || payload === undefined) throw invalid(malformed);
  return { text, header, payload, issuer: payload.iss };
}

type Members = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsePart(part: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
