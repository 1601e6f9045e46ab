import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AtEnd } from '../at-end.ts';
import { startListener } from '../start-listener.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as they came. */
  readonly fields: readonly string[];
  readonly body: string;
}

export interface RecordingUpstream {
  readonly url: string;
  /** Gives back all that has come, in order, and forgets it. */
  take(): RecordedRequest[];
}

export type Respond = (res: ServerResponse, request: RecordedRequest, req: IncomingMessage) => unknown;

/** A server of HTTP that keeps every request as it came, and answers as it is told to. */
export async function startRecordingUpstream(atEnd: AtEnd, respond: Respond): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = [];
  const listener = await startListener(async (req, res) => {
    const { method = '', url = '', rawHeaders: fields } = req;
    // A body of bytes that are no text is kept as whatever text they make.
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

/** The answer of an upstream that is well. */
export const respondJson =
  (status: number, value: unknown): Respond =>
  (res) =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
