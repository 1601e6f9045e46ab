import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Alternating names and values, as received. */
  readonly fields: readonly string[];
  readonly body: string;
}

export interface RecordingUpstream {
  readonly url: string;
  /** Returns and clears the recorded requests. */
  take(): RecordedRequest[];
}

export type Respond = (res: ServerResponse, request: RecordedRequest, req: IncomingMessage) => unknown;

/** Starts an HTTP server that records every request and responds by `respond`. */
export async function startRecordingUpstream(atEnd: AtEnd, respond: Respond): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = [];
  const listener = await startListener(async (req, res) => {
    const { method = '', url = '', rawHeaders: fields } = req;
    // A binary body is recorded as text too.
    const body = await text(req).catch(() => '');
    const request = { method, url, fields, body };
    requests.push(request);
    respond(res, request, req);
  });
  atEnd(listener.stop);
  return {
    url: listener.url,
    take: () => requests.splice(0),
  };
}

/** Responds with JSON. */
export const respondJson =
  (status: number, value: unknown): Respond =>
  (res) =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
