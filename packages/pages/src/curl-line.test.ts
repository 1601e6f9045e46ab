import type { OpenApiDocument, OperationObject } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { createCurlLine } from './curl-line.ts';

const document = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  paths: {},
  components: {
    schemas: {
      Body: { type: 'object', example: { name: "O'Neil" } },
      Endless: { required: ['next'], properties: { next: { $ref: '#/components/schemas/Endless' } } },
    },
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

  it('has a value of the right type where a required parameter has no example', () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 5 } },
      { name: 'coin', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'day', in: 'query', required: true, schema: { type: 'string', format: 'date' } },
      { name: 'kinds', in: 'query', required: true, schema: { type: 'array', items: { enum: ['a', 'b'] } } },
      { name: 'note', in: 'query', required: false, schema: { type: 'string' } },
    ] as const;
    expect(line('get', '/q/{id}/{coin}', { parameters })).toBe("curl 'http://x/q/5/coin?day=2026-01-31&kinds=a'");
  });

  it('has a body with the required members where the contract has no example', () => {
    const schema = {
      type: 'object',
      required: ['size', 'tags', 'inner', 'again'],
      properties: {
        size: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        inner: {
          allOf: [
            { $ref: '#/components/schemas/Body' },
            { required: ['is_new'], properties: { is_new: { type: 'boolean' } } },
          ],
        },
        again: { oneOf: [{ $ref: '#/components/schemas/Endless' }] },
        optional: { type: 'string' },
      },
    };
    const requestBody = { content: { 'application/json': { schema } } };
    const [, body = ''] = /-d '(.*)' '/.exec(line('post', '/q', { requestBody })) ?? [];
    expect(JSON.parse(body.replaceAll(`'\\''`, "'"))).toEqual({
      ...{ size: 1, tags: ['text'], inner: { name: "O'Neil", is_new: true } },
      again: { next: { next: { next: {} } } },
    });
  });

  it('has a body of bounded size for a schema with very many members', () => {
    const nest = (depth: number): object => {
      const names = Array.from({ length: 20 }, (_, i) => `m${i}`);
      const inner = depth === 0 ? { type: 'string' } : nest(depth - 1);
      return { required: names, properties: Object.fromEntries(names.map((name) => [name, inner])) };
    };
    const requestBody = { content: { 'application/json': { schema: nest(4) } } };
    expect(line('post', '/q', { requestBody }).length).toBeLessThan(10_000);
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
