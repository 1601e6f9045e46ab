import { Agent, type IncomingMessage, request } from 'node:http';
import { type Callers, type CallersOptions, runCallers } from '../../../../apps/gateway/test/running/run-callers.ts';
import type { AtEnd } from '../at-end.ts';
import { inLanes } from './in-lanes.ts';

export interface AskOptions {
  readonly agent?: Agent;
  readonly method?: string;
  /** Alternating names and values where a name repeats; the list then includes `Host`. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: string;
}

export interface Reply {
  /** 0 without a complete response. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Why there is no response. */
  readonly fault?: string;
}

const patienceMs = 15_000;

/** Sends a request and never throws: an error is a reply with status 0. */
export function askOnce(url: string, { agent, method = 'GET', headers = {}, body }: AskOptions = {}): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, headers: {}, text: '', fault: error.code ?? error.message });
    const sent = request(url, { method, headers, ...(agent === undefined ? {} : { agent }) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.once('error', fail);
    });
    sent.setTimeout(patienceMs, () => sent.destroy(new Error(`nothing for ${patienceMs} ms`)));
    sent.once('error', fail).end(body);
  });
}

export interface ManyOptions {
  readonly count: number;
  /** The number of kept-alive connections. */
  readonly abreast: number;
  readonly ask: (n: number) => AskOptions & { readonly url: string };
}

/** Sends `count` requests, `abreast` at a time; returns the replies in the order of the requests. */
export async function askMany({ count, abreast, ask }: ManyOptions): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: abreast });
  const all = Array.from({ length: count }, (_, n) => n);
  const replies = await inLanes(abreast, all, (n) => {
    const { url, ...options } = ask(n);
    return askOnce(url, { agent, ...options });
  });
  agent.destroy();
  return replies;
}

/** Returns the number of replies by status. */
export function countStatuses(replies: readonly Reply[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Starts callers that send requests without pause until the trial ends. */
export function startClients(options: Omit<CallersOptions, 'ask'>, atEnd: AtEnd): Callers {
  const asking = runCallers({
    ...options,
    async ask(url, agent) {
      const { status, fault } = await askOnce(url, { agent });
      return status === 200 ? undefined : (fault ?? String(status));
    },
  });
  atEnd(asking.end);
  return asking;
}
