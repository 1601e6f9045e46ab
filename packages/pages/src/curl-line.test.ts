import type { OpenApiDocument, OperationObject } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { createCurlLine } from './curl-line.ts';

const document = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  paths: {},
  components: {
    schemas: { Body: { type: 'object', example: { name: "O'Neil" } } },
    securitySchemes: {
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      token: { type: 'http', scheme: 'bearer' },
    },
  },
} satisfies OpenApiDocument;
const line = (method: 'get' | 'post', path: string, operation: OperationObject) =>
  createCurlLine(document, { method, path, operation }, { origin: 'http://x', secretVariable: 'KEY' });

describe('createCurlLine', () => {
  it('uses the contract’s examples for parameters', () => {
    const parameters = [
      { name: 'coin', in: 'path', example: 'E/H' },
      { name: 'days', in: 'query', schema: { default: 7 } },
      { name: 'size', in: 'query', schema: { example: 3 } },
      { name: 'note', in: 'query' },
    ] as const;
    expect(line('get', '/q/{coin}', { parameters })).toBe("curl 'http://x/q/E%2FH?days=7&size=3'");
  });

  it('shows the rest of a path as several segments', () => {
    const rest = { name: 'rest', in: 'path', 'x-multi-segment': true } as const;
    expect(line('get', '/q/{rest}', { parameters: [rest] })).toBe("curl 'http://x/q/path/to/one'");
    expect(line('get', '/q/{rest}', { parameters: [{ ...rest, example: 'a/b c' }] })).toBe("curl 'http://x/q/a/b%20c'");
  });

  it('sends a required key or token from a shell variable', () => {
    expect(line('get', '/q', { security: [{ apiKeyHeader: [] }, { token: [] }] })).toBe(
      `curl -H "X-API-Key: $KEY" 'http://x/q'`,
    );
    expect(line('get', '/q', { security: [{ token: [] }] })).toBe(`curl -H "Authorization: Bearer $KEY" 'http://x/q'`);
    expect(line('get', '/q', { security: [] })).toBe("curl 'http://x/q'");
  });

  it('sends the example body, quoted for the shell', () => {
    const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } };
    expect(line('post', '/q', { requestBody })).toBe(
      `curl -X POST -H 'Content-Type: application/json' -d '{"name":"O'\\''Neil"}' 'http://x/q'`,
    );
  });
});
