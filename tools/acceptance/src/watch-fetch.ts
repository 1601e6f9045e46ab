import { afterEach, inject } from 'vitest';
import type { ServerName } from './start-server.ts';

/** For whoever holds the answers against the contract anyway. */
export const plainFetch = globalThis.fetch;

/**
 * Runs before each test file: what the shared servers answer to whoever else calls them, such as our clients, is held
 * against the contract as well. A test whose answers it does not allow fails.
 */
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  // Not by a Request of its own: the body of one that was given has been sent.
  const given = input instanceof Request ? input : undefined;
  const url = new URL(given?.url ?? String(input));
  const server = serverAt(url.origin);
  const method = init?.method ?? given?.method ?? 'GET';
  if (server !== undefined) pending.push(check(server, method, url, response.clone()));
  return response;
};

const pending: Promise<void>[] = [];

/** Resolves once all answers up to now have been looked at; rejects by one that the contract does not allow. */
export async function answersChecked(): Promise<void> {
  await Promise.all(pending.splice(0));
}

afterEach(answersChecked);

function serverAt(origin: string): ServerName | undefined {
  const servers = Object.entries(inject('servers').urls) as [ServerName, string][];
  return servers.find(([, url]) => url === origin)?.[0];
}

async function check(server: ServerName, method: string, url: URL, response: Response): Promise<void> {
  const text = await response.text().catch(() => undefined);
  // Whoever asked has given up.
  if (text === undefined) return;
  const { answerCheckOf } = await import('./call.ts');
  const { status, headers } = response;
  (await answerCheckOf(server, url))({ method, path: url.pathname, status, headers, text });
}
