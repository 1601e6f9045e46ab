import { type Agent, type IncomingMessage, request } from 'node:http';

export interface AskOptions {
  readonly agent?: Agent;
  readonly method?: string;
  /** Names and values in turn where a name is sent more than once; then `Host` is to be among them. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: string;
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
export function askOnce(url: string, { agent, method = 'GET', headers = {}, body }: AskOptions = {}): Promise<Reply> {
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
    asked.once('error', fail).end(body);
  });
}
