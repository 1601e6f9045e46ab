import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createBodyReader } from './request-body.ts';

/** Reads a body that a caller has sent as JSON. */
function read(text: string): Promise<unknown> {
  const bytes = Buffer.from(text);
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const req = Object.assign(Readable.from([bytes]), { headers });
  const reader = createBodyReader({ content: { 'application/json': {} } }, 1_000);
  return reader(req as never, {} as never);
}

it.each([
  ['{"name": "Ada"', 'position 14'],
  ['{"name" "Ada"}', 'position 8'],
  ['{"name": canary}', 'not valid'],
])('says of %s where it goes wrong, and repeats nothing of it', async (text, where) => {
  const error = await read(text).catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: 'malformed_request', message: expect.stringContaining(where) });
  expect((error as Error).message).not.toMatch(/Ada|canary|name/);
});
