import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createSentHeaderReader } from './forwarded-origin.ts';

const requestWith = (rawHeaders: string[]): IncomingMessage => {
  const headers: Record<string, string> = {};
  const headersDistinct: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i] as string, rawHeaders[i + 1] as string];
    headers[name] ??= value;
    headersDistinct[name] = [...(headersDistinct[name] ?? []), value];
  }
  const socket = { remoteAddress: '10.0.0.1' };
  return { rawHeaders, headers, headersDistinct, socket, httpVersion: '1.1' } as unknown as IncomingMessage;
};

const req = requestWith([
  ...['accept', 'a', 'x-a', 'caller', 'connection', 'x-hop', 'x-hop', 'b', 'x-forwarded-for', '9.9.9.9'],
  ...['x-forwarded-proto', 'https', 'x-forwarded-host', 'h', 'forwarded', 'for=9.9.9.9', 'x-real-ip', '9.9.9.9'],
  ...['authorization', 'Bearer key', 'if-none-match', '"a"', 'user-agent', 'one', 'user-agent', 'two', 'via', '1.0 x'],
]);

it.each([
  ['accept', 'a', 'a'],
  ['x-a', 'ours', 'ours'],
  ['x-unsent', undefined, undefined],
  ['x-hop', undefined, undefined],
  ['authorization', undefined, undefined],
  ['if-none-match', undefined, undefined],
  ['host', undefined, undefined],
  ['user-agent', 'one, two', 'one, two'],
  ['via', '1.0 x, 1.1', '1.0 x, 1.1'],
  ['x-forwarded-for', '10.0.0.1', '9.9.9.9, 10.0.0.1'],
  ['x-forwarded-proto', 'http', 'https'],
  ['x-forwarded-host', undefined, 'h'],
  ['x-real-ip', undefined, '9.9.9.9'],
  ['forwarded', undefined, 'for=9.9.9.9, for=10.0.0.1'],
])('%s is sent as %s, and as %s for a trusted proxy', (name, untrusted, trusted) => {
  const headers = { 'X-A': 'ours' };
  expect(createSentHeaderReader({ headers, isTrustedProxy: undefined })(name, req)).toBe(untrusted);
  expect(createSentHeaderReader({ headers, isTrustedProxy: () => true })(name, req)).toBe(trusted);
});

it('reads headers that are unique per request as different each time', () => {
  const read = createSentHeaderReader({ headers: {}, isTrustedProxy: undefined });
  for (const name of ['x-request-id', 'traceparent']) expect(read(name, req)).not.toBe(read(name, req));
});
