import { inject } from 'vitest';
import { type Answer, answerCheckOf } from './call.ts';
import { exchangeBytes } from './exchange-bytes.ts';
import type { ServerName } from './start-server.ts';

/** Sends bytes to a server that all tests share; throws unless the answer is a problem as the contract has them. */
export async function sendBytes(server: ServerName, bytes: string): Promise<Answer> {
  const url = new URL(inject('servers').urls[server]);
  const answer = await exchangeBytes(url.href, bytes);
  // Whatever the request was, the contract knows no such path: only a problem will do.
  (await answerCheckOf(server, url))({ method: 'GET', path: '/not-a-request', ...answer });
  return { ...answer, body: JSON.parse(answer.text) };
}
