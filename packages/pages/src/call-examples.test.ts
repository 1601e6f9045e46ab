import type { OpenApiDocument } from '@rostergate/server';
import { expect, it } from 'vitest';
import { createCallExamples } from './call-examples.ts';

const document = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  paths: {},
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
} satisfies OpenApiDocument;

it('returns the same call in three languages', () => {
  const content = { 'application/json': { schema: {}, example: { name: "O'Neil" } } };
  const operation = { security: [{ key: [] }], requestBody: { content } };
  const called = { method: 'post', path: '/q', operation } as const;
  const examples = createCallExamples(document, called, { origin: 'http://x', secret: 'rg_1' });
  expect(Object.fromEntries(examples.map(({ language, code }) => [language, code]))).toEqual({
    curl: `curl -X POST -H "X-API-Key: rg_1" -H 'Content-Type: application/json' -d '{"name":"O'\\''Neil"}' 'http://x/q'`,
    TypeScript: `const response = await fetch("http://x/q", {
  method: 'POST',
  headers: { "X-API-Key": "rg_1", "Content-Type": "application/json" },
  body: "{\\"name\\":\\"O'Neil\\"}",
});
console.log(response.status, await response.text());`,
    Python: `import urllib.request

request = urllib.request.Request(
    "http://x/q",
    method="POST",
    headers={"X-API-Key": "rg_1", "Content-Type": "application/json"},
    data="{\\"name\\":\\"O'Neil\\"}".encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`,
  });
});
