import { mergeDocuments } from '@rostergate/server';
import { toolsFragment } from '@rostergate/staff-spec';
import { inject } from 'vitest';
import { createPathFinder, type OpenApiDocument } from './contract-paths.ts';
import { contracts } from './contracts.ts';
import { plainFetch } from './plain-fetch.ts';
import { type CheckResponse, createResponseCheck, type ResponseVerdict, type SeenResponse } from './response-check.ts';
import { createResponseLog } from './response-log.ts';
import type { ServerName } from './server-names.ts';

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer> | URLSearchParams;
  /** URL of another server than the one that all tests share. */
  readonly baseUrl?: string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, or the text of another type. Untyped, because the contract check has validated it. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it expects.
  readonly body: any;
}

/** Calls a running server; throws if its contract does not allow the response. */
export async function call(server: ServerName, path: string, options: CallOptions = {}): Promise<TestResponse> {
  const { json, method = 'GET', baseUrl = inject('servers').urls[server] } = options;
  const url = new URL(baseUrl + path);
  const response = await fetchChecked(server, url, {
    method,
    redirect: 'manual',
    headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...options.headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const text = await response.text();
  const { status, headers } = response;
  const isJson = /\bjson\b/.test(headers.get('Content-Type') ?? '');
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** Fetches from a running server; throws if its contract does not allow the response. */
export async function fetchChecked(server: ServerName, url: URL, init: RequestInit = {}): Promise<Response> {
  const response = await plainFetch(url, init);
  const text = await response.clone().text();
  const { status, headers } = response;
  (await responseCheckOf(server, url))({ method: init.method ?? 'GET', path: url.pathname, status, headers, text });
  return response;
}

/** Returns the check of a server's bundled contract; for configured paths that of its served document. */
export async function responseCheckOf(server: ServerName, url: URL): Promise<CheckResponse> {
  if (!isConfigured(server, url.pathname)) return builtInChecks[server];
  let check = servedChecks.get(url.origin);
  if (check === undefined) {
    const served = await plainFetch(new URL('/openapi.json', url));
    // Not logged: between an edit and its reload the document may be of another generation.
    check = createResponseCheck((await served.json()) as OpenApiDocument);
    servedChecks.set(url.origin, check);
  }
  return check;
}

/** Logs a response whose body is not read here; its faults fail the run at the end. */
export function logUnread(server: ServerName, reply: SeenResponse): void {
  // The bundled contract does not contain configured paths.
  if (server === 'gateway' ? findBuiltIn(reply.path) === undefined : isConfigured(server, reply.path)) return;
  try {
    builtInChecks[server](reply);
  } catch {
    // The fault is in the log.
  }
}

/** Forgets the served document of a server whose configuration has changed. */
export function forgetContract(origin: string): void {
  servedChecks.delete(origin);
}

const findBuiltIn = createPathFinder(contracts.gateway);
const logResponse = createResponseLog(inject('responsesFolder'));

function logTo(server: ServerName): (verdict: ResponseVerdict) => void {
  return (verdict) => logResponse({ server, ...verdict });
}

/** The configured paths of these tests: endpoints, and paths beyond the contract. */
const configuredPaths: Partial<Readonly<Record<ServerName, RegExp>>> = {
  gateway: /^\/api\//,
  'staff-proxy': /^\/v2\/schedule(?:-request)?\//,
};
const isConfigured = (server: ServerName, path: string) => configuredPaths[server]?.test(path) === true;
const servedChecks = new Map<string, CheckResponse>();
const builtInChecks: Readonly<Record<ServerName, CheckResponse>> = {
  gateway: createResponseCheck(contracts.gateway, logTo('gateway')),
  // With the operations that a setting adds.
  'staff-proxy': createResponseCheck(
    mergeDocuments(contracts['staff-proxy'], { components: {}, tags: [], ...toolsFragment }),
    logTo('staff-proxy'),
  ),
  scheduling: createResponseCheck(contracts.scheduling, logTo('scheduling')),
};
