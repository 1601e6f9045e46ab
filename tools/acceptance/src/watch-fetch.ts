import { afterEach, inject } from 'vitest';
import { serverStartedAt } from './running-origins.ts';
import type { ServerName } from './start-server.ts';

/** For whoever holds the answers against the contract anyway. */
export const plainFetch = globalThis.fetch;

/**
 * Runs before each test file: responses of the shared servers to any other caller, such as our clients, are checked
 * against the contract as well. A test with a response that the contract does not allow fails. Of servers that a test
 * starts itself, status and headers are logged and checked when the run ends: their bodies may never end.
 */
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  // Not by a Request of its own: the body of one that was given has been sent.
  const given = input instanceof Request ? input : undefined;
  const url = new URL(given?.url ?? String(input));
  const server = serverAt(url.origin);
  const method = init?.method ?? given?.method ?? 'GET';
  if (server !== undefined) pending.push(check(server, method, url, response.clone()));
  else await logOwn(method, url, response);
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

async function logOwn(method: string, url: URL, { status, headers }: Response): Promise<void> {
  const server = serverStartedAt(url.origin);
  if (server === undefined) return;
  const { logUnread } = await import('./call.ts');
  logUnread(server, { method, path: url.pathname, status, headers, text: undefined });
}

async function check(server: ServerName, method: string, url: URL, response: Response): Promise<void> {
  const text = await response.text().catch(() => undefined);
  // Whoever asked has given up.
  if (text === undefined) return;
  const { answerCheckOf } = await import('./call.ts');
  const { status, headers } = response;
  (await answerCheckOf(server, url))({ method, path: url.pathname, status, headers, text });
}
