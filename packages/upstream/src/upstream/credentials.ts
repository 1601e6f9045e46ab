import { Problem } from '@rostergate/server/problem';
import { isRepeatable } from './retries.ts';
import { canSendAgain, type SendOnce, type UpstreamRequest } from './upstream.ts';
import { discard, type UpstreamResponse } from './upstream-response.ts';
import type { UpstreamSession } from './upstream-session.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Sends requests with the token of a session. After a 401 the token is replaced, and a request that may be repeated is
 * sent once more. A 401 is not returned: it concerns the credentials of this server, not those of the caller.
 * @throws Problem `upstream_failed` when no token is accepted.
 */
export function withCredentials(send: SendOnce, session: UpstreamSession, clock: () => number): SendOnce {
  async function sendAgain(request: UpstreamRequest, rejected: string): Promise<UpstreamResponse> {
    if (!isRepeatable(request) || !canSendAgain(request.body)) {
      // The token of the next request is a new one; this request does not wait for it.
      Promise.resolve(session.replace(rejected)).catch(() => {});
      throw new Problem('upstream_failed', tokenReplaced);
    }
    const token = await inTime(request, session.replace(rejected));
    const response = await send(withToken(request, token));
    if (response.status !== 401) return response;
    discard(response);
    throw new Problem('upstream_failed', credentialMessages.tokenRejected);
  }

  async function sendFirst(request: UpstreamRequest, token: string): Promise<UpstreamResponse> {
    const response = await send(withToken(request, token));
    if (response.status !== 401) return response;
    discard(response);
    return sendAgain(request, token);
  }

  function inTime({ deadlineMs, signal }: UpstreamRequest, token: string | Promise<string>): string | Promise<string> {
    if (typeof token === 'string') return token;
    return deadlineMs === undefined ? token : waitUntil(token, { deadlineMs, signal }, clock);
  }

  return async (request) => sendFirst(request, await inTime(request, session.token()));
}

/** Replaces the header `Authorization`, which a policy may have set: a server could read either of two. */
function withToken(request: UpstreamRequest, token: string): UpstreamRequest {
  const { headers = {} } = request;
  const value = `Bearer ${token}`;
  if (!isList(headers)) return { ...request, headers: { ...headers, Authorization: value } };
  const others = headers.filter((_, i) => (headers[i - (i % 2)] as string).toLowerCase() !== 'authorization');
  return { ...request, headers: [...others, 'Authorization', value] };
}

function isList(headers: NonNullable<UpstreamRequest['headers']>): headers is readonly string[] {
  return Array.isArray(headers);
}

/** What clients read when the credentials of this server, or a token, are rejected. */
export const credentialMessages = {
  refused:
    'The token endpoint of the upstream rejected the credentials of this server. Tell its operator to check them.',
  tokenRejected:
    'The upstream answered 401 to a token that it had just issued. Try again later; if it persists, tell the operator of this server.',
};

const tokenReplaced =
  'The upstream answered 401 to the token of this server, which is being replaced. The request did nothing: send it again.';
