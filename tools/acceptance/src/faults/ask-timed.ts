import { request as sendRequest } from 'node:http';

/** The response that a client received, with times. */
export interface Outcome {
  /** 0 without a head. */
  readonly status: number;
  readonly code: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the response is complete. */
  readonly isWhole: boolean;
  /** Whether the client disconnected before the end. */
  readonly hasHungUp: boolean;
  /** The time until the head, or until the failure. */
  readonly headMs: number;
  readonly endMs: number;
}

export interface AskTimedOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Disconnects after this time if the response has not ended. */
  readonly hangUpMs?: number;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
}

/**
 * Sends a request on a new connection, so that connections left behind belong to the server. Never rejects: errors are
 * outcomes too.
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
        // Stores only the beginning of endless bodies.
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
      // After a head, `close` of the response resolves.
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
