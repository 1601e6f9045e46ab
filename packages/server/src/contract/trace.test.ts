import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { continueTrace, readTraceParent } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const parent = `00-${traceId}-${parentId}-01`;

function traceOf(headers: Record<string, string>) {
  const trace = continueTrace({
    req: { headers, method: 'GET', httpVersion: '1.1', socket: new Socket() },
    route: { path: '/' },
    requestId: 'id',
  });
  return { trace, sent: trace.startCall({ method: 'GET', origin: 'http://a' }).headers };
}

describe('continueTrace', () => {
  it('continues a valid trace with a new span', () => {
    const { trace, sent } = traceOf({ traceparent: parent, tracestate: 'a=1, b@v=2' });
    expect(trace.traceId).toBe(traceId);
    expect(trace.spanId).toMatch(/^(?!0{16})[\da-f]{16}$/);
    expect(trace.spanId).not.toBe(parentId);
    expect(sent).toEqual({ traceparent: `00-${traceId}-${trace.spanId}-01`, tracestate: 'a=1,b@v=2' });
  });

  it('keeps the decision of the client not to sample', () => {
    expect(traceOf({ traceparent: parent.replace(/01$/, '00') }).sent.traceparent).toMatch(/-00$/);
  });

  it('begins a new trace for each request without one', () => {
    const [one, two] = [traceOf({}), traceOf({})];
    expect(one.trace.traceId).toMatch(/^[\da-f]{32}$/);
    expect(one.trace.traceId).not.toBe(two.trace.traceId);
    expect(one.sent).toEqual({ traceparent: `00-${one.trace.traceId}-${one.trace.spanId}-01` });
  });

  it('drops the state of an invalid trace', () => {
    expect(traceOf({ traceparent: 'nonsense', tracestate: 'a=1' }).sent).not.toHaveProperty('tracestate');
  });
});

describe('readTraceParent', () => {
  it.each([
    ['a later version with more fields', `cc-${traceId}-${parentId}-01-what-the-future-brings`],
    ['a later version without more fields', `cc-${traceId}-${parentId}-09`],
  ])('reads %s', (_case, traceparent) => {
    expect(readTraceParent({ traceparent })).toMatchObject({ traceId, spanId: parentId });
  });

  it.each([
    ['more than version 00 has', `${parent}-more`],
    ['version ff', parent.replace(/^00/, 'ff')],
    ['capitals', parent.toUpperCase()],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['two values', `${parent}, ${parent}`],
    ['a truncated value', parent.slice(0, -1)],
    ['a value that is too long', `cc-${traceId}-${parentId}-01-${'x'.repeat(9_000)}`],
  ])('ignores %s', (_case, traceparent) => expect(readTraceParent({ traceparent })).toBeUndefined());

  it.each([
    ['a broken member', 'a=1,b'],
    ['a value with =', 'a=1=2'],
    ['a key in capitals', 'A=1'],
    ['too many members', Array.from({ length: 33 }, (_, i) => `a${i}=1`).join()],
  ])('drops a state with %s', (_case, tracestate) => {
    expect(readTraceParent({ traceparent: parent, tracestate })?.state).toBeUndefined();
  });
});
