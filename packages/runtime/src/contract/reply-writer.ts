import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { securityHeaders } from './failure.ts';
import type { Reply } from './handler.ts';

/** Sends a reply; resolves when the last byte has been handed over (a stream: when it has ended). */
export function writeReply(res: ServerResponse, reply: Reply, requestId: string): undefined | Promise<void> {
  const headers: OutgoingHttpHeaders = { ...securityHeaders, 'X-Request-Id': requestId };
  if ('raw' in reply) {
    headers['Content-Type'] = reply.contentType;
    Object.assign(headers, reply.headers);
    if (reply.raw instanceof Readable) {
      res.writeHead(reply.status, headers);
      return pipeline(reply.raw, res);
    }
    // A 304 would say the length of what it does not send (RFC 9110 §8.6).
    if (reply.status !== 304) headers['Content-Length'] = Buffer.byteLength(reply.raw);
    res.writeHead(reply.status, headers);
    res.end(reply.raw);
    return undefined;
  }
  Object.assign(headers, reply.headers);
  if (reply.body === undefined) {
    if (reply.status !== 204 && reply.status !== 304) headers['Content-Length'] = 0;
    res.writeHead(reply.status, headers);
    res.end();
    return undefined;
  }
  const text = JSON.stringify(reply.body);
  headers['Content-Type'] ??= 'application/json';
  headers['Content-Length'] = Buffer.byteLength(text);
  res.writeHead(reply.status, headers);
  res.end(text);
  return undefined;
}
