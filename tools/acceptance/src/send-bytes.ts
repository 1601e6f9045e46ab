import { inject } from 'vitest';
import { type Answer, answerCheckOf } from './call.ts';
import { exchangeBytes } from './exchange-bytes.ts';
import type { ServerName } from './start-server.ts';

/** The operation that bytes are meant for. */
export interface MeantOperation {
  readonly method: string;
  readonly path: string;
}

/** For bytes that are meant for no operation: the contract knows no such path, so only a problem will do. */
const noOperation: MeantOperation = { method: 'GET', path: '/not-a-request' };

/**
 * Sends bytes to a server that all tests share; throws unless the contract allows the response to that operation. It
 * waits longer than a server does for the head of a request.
 */
export async function sendBytes(server: ServerName, bytes: string, meant = noOperation): Promise<Answer> {
  const url = new URL(inject('servers').urls[server]);
  const answer = await exchangeBytes(url.href, bytes, 30_000);
  (await answerCheckOf(server, url))({ ...meant, ...answer });
  return { ...answer, body: JSON.parse(answer.text) };
}
