import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface LoginOutcome {
  readonly status: number;
  /** Undefined if the login was rejected. */
  readonly token: string | undefined;
  /** Undefined if the login was accepted. */
  readonly code: string | undefined;
  readonly retryAfter: string | undefined;
}

/** Logs in from an address of the loopback network, each of which counts as a separate client. */
export async function logInFrom(localAddress: string, url: string, credentials: object): Promise<LoginOutcome> {
  const sent = request(`${url}/v2/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    localAddress,
    agent: false,
  });
  sent.end(JSON.stringify(credentials));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = JSON.parse(await text(response));
  const { statusCode: status = 0, headers } = response;
  return { status, token: body.access_token, code: body.code, retryAfter: headers['retry-after'] };
}
