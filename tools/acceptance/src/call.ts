import { inject } from 'vitest';
import { createAnswerLog } from './answer-log.ts';
import { type AnswerVerdict, type CheckAnswer, createAnswerCheck, type SeenAnswer } from './check-answer.ts';
import { createPathFinder, type OpenApiDocument } from './contract-paths.ts';
import { contracts } from './contracts.ts';
import type { ServerName } from './start-server.ts';
import { plainFetch } from './watch-fetch.ts';

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer> | URLSearchParams;
  /** Another server of the same kind than the one that all tests share. */
  readonly baseUrl?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, or the text where it is none. Loose, for the contract has judged it already. */
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects.
  readonly body: any;
}

/** Calls a running server; throws unless the answer is one that this server's contract allows. */
export async function call(server: ServerName, path: string, options: CallOptions = {}): Promise<Answer> {
  const { json, method = 'GET', baseUrl = inject('servers').urls[server] } = options;
  const url = new URL(baseUrl + path);
  const response = await plainFetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...options.headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const text = await response.text();
  const { status, headers } = response;
  (await answerCheckOf(server, url))({ method, path: url.pathname, status, headers, text });
  const isJson = /\bjson\b/.test(headers.get('Content-Type') ?? '');
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** The check of a server's bundled contract; of what configuration has added to a gateway, its own document speaks. */
export async function answerCheckOf(server: ServerName, url: URL): Promise<CheckAnswer> {
  if (server !== 'gateway' || !url.pathname.startsWith('/api/')) return builtInChecks[server];
  let check = servedChecks.get(url.origin);
  if (check === undefined) {
    const served = await plainFetch(new URL('/openapi.json', url));
    // Not kept in the log: between an edit and its reload the document may be that of another generation.
    check = createAnswerCheck((await served.json()) as OpenApiDocument);
    servedChecks.set(url.origin, check);
  }
  return check;
}

/** Logs a response whose body was left to the caller; the faults fail the run at its end. */
export function logUnread(server: ServerName, answer: SeenAnswer): void {
  // Of what configuration adds to a gateway its bundled contract says nothing.
  if (server === 'gateway' && findBuiltIn(answer.path) === undefined) return;
  try {
    builtInChecks[server](answer);
  } catch {
    // It is in the log.
  }
}

/** A server's configuration has changed, and with it what its own document says. */
export function forgetContract(origin: string): void {
  servedChecks.delete(origin);
}

const findBuiltIn = createPathFinder(contracts.gateway);
const logAnswer = createAnswerLog(inject('answersFolder'));

function tellOf(server: ServerName): (verdict: AnswerVerdict) => void {
  return (verdict) => logAnswer({ server, ...verdict });
}

const servedChecks = new Map<string, CheckAnswer>();
const builtInChecks: Readonly<Record<ServerName, CheckAnswer>> = {
  gateway: createAnswerCheck(contracts.gateway, tellOf('gateway')),
  'staff-proxy': createAnswerCheck(contracts['staff-proxy'], tellOf('staff-proxy')),
  scheduling: createAnswerCheck(contracts.scheduling, tellOf('scheduling')),
};
