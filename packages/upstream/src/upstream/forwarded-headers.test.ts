import { continueTrace } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { forwardRequestHeaders, forwardResponseHeaders } from './forwarded-headers.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('forwardRequestHeaders', () => {
  it.each([
    ['continues the caller’s trace', parent, 'a=1'],
    ['drops the caller’s state with a trace that is none', 'nonsense', undefined],
  ])('%s, under this server’s own span', (_case, traceparent, state) => {
    const headers = { traceparent, tracestate: 'a=1' };
    const req = { headers, method: 'GET', httpVersion: '1.1' } as never;
    const trace = continueTrace({ req, route: { path: '/' }, requestId: 'id' });
    const raw = Object.entries(headers).flat();
    const sent = forwardRequestHeaders(raw, trace.startCall({ method: 'GET' }).headers);
    const fields = Object.fromEntries(Array.from({ length: sent.length / 2 }, (_, i) => sent.slice(2 * i, 2 * i + 2)));
    expect(fields).toEqual({
      traceparent: `00-${trace.traceId}-${trace.spanId}-01`,
      ...(state === undefined ? {} : { tracestate: state }),
    });
    expect(sent).toHaveLength(2 * Object.keys(fields).length);
  });

  it('restores the strong tag of the upstream in If-Match', () => {
    expect(forwardRequestHeaders(['If-Match', 'W/"1", "2"', 'If-None-Match', 'W/"1"'], {})).toEqual([
      'If-Match',
      '"1", "2"',
      'If-None-Match',
      'W/"1"',
    ]);
  });
});

describe('forwardResponseHeaders', () => {
  it('omits CORS, TLS and server headers of the upstream', () => {
    const answer = {
      'access-control-allow-origin': 'https://evil.example',
      'access-control-allow-credentials': 'true',
      'strict-transport-security': 'max-age=0',
      'x-powered-by': 'something',
      server: 'something',
      'x-other': 'yes',
    };
    expect(forwardResponseHeaders(answer)).toEqual({ 'X-Other': 'yes' });
  });
});
