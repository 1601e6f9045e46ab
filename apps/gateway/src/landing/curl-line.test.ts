import type { OpenApiDocument, OperationObject } from '@rostergate/runtime/contract';
import { describe, expect, it } from 'vitest';
import { createCurlLine } from './curl-line.ts';

const document = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  paths: {},
  components: { schemas: { Body: { type: 'object', example: { name: "O'Neil" } } } },
} satisfies OpenApiDocument;
const line = (method: 'get' | 'post', path: string, operation: OperationObject) =>
  createCurlLine(document, 'http://x', { method, path, operation });

describe('createCurlLine', () => {
  it('fills parameters with the examples of the contract', () => {
    const parameters = [
      { name: 'coin', in: 'path', example: 'E/H' },
      { name: 'days', in: 'query', schema: { default: 7 } },
      { name: 'note', in: 'query' },
    ] as const;
    expect(line('get', '/q/{coin}', { parameters })).toBe("curl 'http://x/q/E%2FH?days=7'");
  });

  it('sends a key where one is needed, from a variable of the shell', () => {
    expect(line('get', '/q', { security: [{ apiKeyHeader: [] }] })).toBe(
      `curl -H "X-API-Key: $GATEWAY_KEY" 'http://x/q'`,
    );
  });

  it('sends the example of the body, quoted for the shell', () => {
    const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } };
    expect(line('post', '/q', { requestBody })).toBe(
      `curl -X POST -H 'Content-Type: application/json' -d '{"name":"O'\\''Neil"}' 'http://x/q'`,
    );
  });
});
