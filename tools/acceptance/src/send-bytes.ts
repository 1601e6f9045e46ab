import { inject } from 'vitest';
import { type Answer, responseCheckOf } from './call.ts';
import { exchangeBytes } from './exchange-bytes.ts';
import type { ServerName } from './server-names.ts';

/** The operation that the bytes address. */
export interface AddressedOperation {
  readonly method: string;
  readonly path: string;
}

/** For bytes that address no operation: the contract lacks the path, so the response must be a problem. */
const noOperation: AddressedOperation = { method: 'GET', path: '/not-a-request' };

/**
 * Sends bytes to a shared server; throws if the contract does not allow the response to that operation. Waits longer than
 * a server waits for the head of a request.
 */
export async function sendBytes(server: ServerName, bytes: string, operation = noOperation): Promise<Answer> {
  const url = new URL(inject('servers').urls[server]);
  const answer = await exchangeBytes(url.href, bytes, 30_000);
  (await responseCheckOf(server, url))({ ...operation, ...answer });
  return { ...answer, body: JSON.parse(answer.text) };
}
