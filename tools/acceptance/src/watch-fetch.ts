import { afterEach, inject } from 'vitest';
import { plainFetch } from './plain-fetch.ts';
import { serverStartedAt } from './running-origins.ts';
import type { ServerName } from './server-names.ts';

/**
 * Setup file of all tests: checks the responses of the shared servers to all other callers, such as the clients, against
 * the contract. A test fails if the contract does not allow a response. For servers that a test starts itself, status and
 * headers are logged and checked when the run ends, because their bodies may be endless.
 */
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  // A new Request is impossible: the body of the given one is already consumed.
  const given = input instanceof Request ? input : undefined;
  const url = new URL(given?.url ?? String(input));
  const server = serverAt(url.origin);
  const method = init?.method ?? given?.method ?? 'GET';
  if (server !== undefined) pending.push(check(server, method, url, response.clone()));
  else await logOwn(method, url, response);
  return response;
};

const pending: Promise<void>[] = [];

/** Resolves once all responses so far are checked; rejects if the contract does not allow one. */
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
  // The caller has aborted the request.
  if (text === undefined) return;
  const { responseCheckOf } = await import('./call.ts');
  const { status, headers } = response;
  (await responseCheckOf(server, url))({ method, path: url.pathname, status, headers, text });
}
