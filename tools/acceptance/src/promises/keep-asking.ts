import { Agent, type IncomingMessage, request } from 'node:http';
import type { AtEnd } from '../at-end.ts';

export interface AskingOptions {
  readonly url: string;
  readonly paths: readonly string[];
  /** Half of them on a kept connection, half on a new one for each request. */
  readonly callers: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly answers: number;
  /** What was not a whole 200. */
  readonly failures: readonly string[];
}

export interface Asking {
  /** Ends it once everybody has their last answer. */
  end(): Promise<Asked>;
}

/** Callers that never pause, each with one request at a time. */
export function keepAsking({ url, paths, callers, headers = {} }: AskingOptions, atEnd: AtEnd): Asking {
  const failures: string[] = [];
  let answers = 0;
  let isEnding = false;
  const agents = Array.from({ length: callers }, (_, i) => new Agent({ keepAlive: i % 2 === 0, maxSockets: 1 }));
  const running = agents.map(async (agent, i) => {
    for (let n = i; !isEnding; n++) {
      const path = paths[n % paths.length] as string;
      const { status, fault } = await askOnce(url + path, { agent, headers });
      if (status === 200) answers++;
      else failures.push(`${path}: ${fault ?? status}`);
    }
  });
  const end = async () => {
    isEnding = true;
    await Promise.all(running);
    for (const agent of agents) agent.destroy();
    return { answers, failures };
  };
  atEnd(end);
  return { end };
}

export interface AskOptions {
  readonly agent?: Agent;
  readonly method?: string;
  /** Names and values in turn where a name is sent more than once; then `Host` is to be among them. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
}

export interface Reply {
  /** 0 where there was no whole answer. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Why there was none. */
  readonly fault?: string;
}

const patienceMs = 15_000;

/** Asks once and never throws: what has gone wrong is an answer too. */
export function askOnce(url: string, { agent, method = 'GET', headers = {} }: AskOptions = {}): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, headers: {}, text: '', fault: error.code ?? error.message });
    const asked = request(url, { method, headers, ...(agent === undefined ? {} : { agent }) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.once('error', fail);
    });
    // Whoever is not answered at all would wait for ever.
    asked.setTimeout(patienceMs, () => asked.destroy(new Error(`nothing for ${patienceMs} ms`)));
    asked.once('error', fail).end();
  });
}
