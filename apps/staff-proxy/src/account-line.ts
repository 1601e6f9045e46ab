import { Problem } from '@rostergate/runtime/problem';
import type { SendCall } from './staff-call.ts';
import type { StaffUpstream } from './staff-upstream.ts';
import { tokenRefused, type UpstreamSession } from './upstream-session.ts';

export interface AccountLineOptions {
  readonly upstream: Pick<StaffUpstream, 'send'>;
  /** The account's standing login. */
  readonly session: UpstreamSession;
}

/** Sends the calls of one service account with its login; a refused token is replaced, once for each call. */
export function createAccountLine({ upstream, session }: AccountLineOptions): SendCall {
  return async (call, caller) => {
    const token = await session.token();
    const reply = await upstream.send(call, token, caller);
    if (reply !== 'token_refused') return reply;
    // A refused request has done nothing, so that even a write may be sent once more.
    const second = await upstream.send(call, await session.replace(token), caller);
    if (second === 'token_refused') throw new Problem('upstream_failed', tokenRefused);
    return second;
  };
}
