import { describe, expect, test } from 'vitest';
import { sendBytes } from '../send-bytes.ts';
import { serverNames } from '../server-names.ts';

// Just above the limit of 32 KiB for the head of a request.
const long = 'a'.repeat(33_000);
const cases: [string, number, string][] = [
  ['bytes that are no request', 400, 'hello, are you there?\r\n\r\n'],
  ['an unknown method', 400, 'FETCH / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['no Host', 400, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 400, 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ['two lengths', 400, 'POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length beside chunks',
    400,
    'POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a header without a name', 400, 'GET /health HTTP/1.1\r\nHost: x\r\n: value\r\nConnection: close\r\n\r\n'],
  ['an address too long', 414, `GET /${long} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
  ['headers too large', 431, `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\nConnection: close\r\n\r\n`],
  ['a broken escape in the path', 400, 'GET /docs/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['bytes in the path that no URI may hold', 404, 'GET /"<|>" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
];

describe.each(serverNames)('%s', (server) => {
  test.each(cases)('rejects %s with a problem of status %i', async (_, status, bytes) => {
    const response = await sendBytes(server, bytes);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ status, detail: expect.stringMatching(/\w/) });
  });
});
