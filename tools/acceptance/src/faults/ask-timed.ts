import { request as sendRequest } from 'node:http';

/** What a caller got, and when. */
export interface Outcome {
  /** 0 where there was not even a head. */
  readonly status: number;
  readonly code: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the answer came to its end. */
  readonly isWhole: boolean;
  /** It had not ended when the caller did not want to wait any more. */
  readonly hasHungUp: boolean;
  /** Where there was none, how long it was waited for. */
  readonly headMs: number;
  readonly endMs: number;
}

export interface AskTimedOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Hangs up then, when the answer has not ended by itself. */
  readonly hangUpMs?: number;
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
}

/**
 * Over a connection of its own, so that nothing but the server's own is left behind. Never rejects: what has gone wrong
 * is an outcome too.
 */
export function askTimed(url: string, options: AskTimedOptions): Promise<Outcome> {
  const { method = 'GET', json, hangUpMs = 60_000, clock = () => performance.now() } = options;
  const startedMs = clock();
  let hasHungUp = false;
  return new Promise((resolve) => {
    let hasHead = false;
    const headers = { ...options.headers, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) };
    const request = sendRequest(url, { method, headers, agent: false }, (response) => {
      hasHead = true;
      const headMs = clock() - startedMs;
      let body = '';
      response.setEncoding('utf8').on('data', (text) => {
        // Of what never ends the beginning is enough.
        if (body.length < 1_000_000) body += text;
      });
      response
        .on('error', () => undefined)
        .once('close', () => {
          const code = /"code":"(\w+)"/.exec(body)?.[1] ?? '';
          const { statusCode: status = 0, headers, complete: isWhole } = response;
          resolve({ status, code, body, headers, isWhole, hasHungUp, headMs, endMs: clock() - startedMs });
        });
    });
    request.on('error', () => {
      // After a head it is the end of the answer that tells.
      if (hasHead) return;
      const endMs = clock() - startedMs;
      resolve({ status: 0, code: '', body: '', headers: {}, isWhole: false, hasHungUp, headMs: endMs, endMs });
    });
    setTimeout(() => {
      hasHungUp = true;
      request.destroy();
    }, hangUpMs).unref();
    request.end(json === undefined ? undefined : JSON.stringify(json));
  });
}
