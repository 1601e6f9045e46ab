import { Problem } from '@rostergate/server/problem';
import {
  discard,
  UpstreamFault,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamToken,
} from '@rostergate/upstream';
import type { ServiceAccount } from '../keys/keys-file.ts';
import { createUpstreamProblem, readBytes, UpstreamLimit } from './upstream-problem.ts';

export function createLoginRequest(path: string, { email, password }: ServiceAccount): UpstreamRequest {
  return {
    method: 'POST',
    path,
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password }).toString(),
    isRepeatable: true,
  };
}

/** Whether the upstream rejected the credentials. */
export function isLoginRejected(response: UpstreamResponse): boolean {
  if (response.status !== 401 && response.status !== 403 && response.status !== 400) return false;
  discard(response);
  return true;
}

/** Returns the token of a login. `expires_in` is text at the vendor; a number is accepted too. */
export async function readLogin(response: UpstreamResponse): Promise<UpstreamToken> {
  const { status, body } = response;
  const failed = (cause?: unknown) =>
    new Problem('upstream_failed', `The upstream answered ${status} to our login, without a token. Try again later.`, {
      cause,
    });
  if (status !== 200) {
    const problem = await createUpstreamProblem(response, undefined);
    // Only a limit concerns the request that waits for the login.
    throw problem instanceof UpstreamLimit ? problem : failed();
  }
  try {
    const chunks = await readBytes(body, loginBytesMax, () => new RangeError('The response to the login is too long.'));
    const { access_token, expires_in } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as LoginResponse;
    const lifetimeMs = Number(expires_in) * 1_000;
    if (typeof access_token === 'string' && /^[\x21-\x7e]+$/.test(access_token) && lifetimeMs > 0) {
      return { value: access_token, lifetimeMs };
    }
  } catch (error) {
    if (error instanceof UpstreamFault) throw error;
    // The parser's message quotes the text, which may contain a token.
    throw error instanceof SyntaxError ? failed() : failed(error);
  }
  throw failed();
}

/** What clients read when a login or its token is rejected. */
export const sessionMessages = {
  refused:
    'The upstream rejected the service account of your key. Tell the operator of this proxy to check its credentials.',
  tokenRejected:
    'The upstream answered 401 to a token that it had just issued. Try again later; if it persists, tell the operator of this proxy.',
};

interface LoginResponse {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
}

const loginBytesMax = 64 * 1024;
