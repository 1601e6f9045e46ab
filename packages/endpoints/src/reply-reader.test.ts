import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineService } from './define-service.ts';
import type { Service } from './endpoint.ts';
import { createReplyReader } from './reply-reader.ts';

const define = (definition: object): Service =>
  defineService({ name: 'a', summary: 'x', parameters: z.object({}), ...definition } as never);
const handle = () => ({ status: 204 });
const readerOf = (responses: object) => createReplyReader(define({ responses, handle }));
const body = z.object({ n: z.number() });

describe('createReplyReader', () => {
  const read = readerOf({
    200: { body },
    201: {
      body,
      headers: { Location: z.string(), 'X-Left': z.number().optional(), Link: z.array(z.string()).optional() },
    },
    204: {},
    202: { stream: 'text/csv' },
  });

  it('returns a declared reply without undeclared members', () => {
    expect(read({ status: 200, body: { n: 1, secret: 'x' } })).toEqual({ status: 200, body: { n: 1 } });
    expect(read({ status: 201, body: { n: 1 }, headers: { Location: '/1', 'X-Left': 2, Link: ['a', 'b'] } })).toEqual({
      status: 201,
      body: { n: 1 },
      headers: { Location: '/1', 'X-Left': '2', Link: ['a', 'b'] },
    });
    expect(read({ status: 204 })).toEqual({ status: 204 });
  });

  it.each([
    [undefined, 'returned no status'],
    [{ n: 1 }, 'returned no status'],
    [{ status: 203 }, 'the undeclared status 203. Return { status, body, headers } with one of 200, 201, 202, 204.'],
    [{ status: '200', body: { n: 1 } }, 'returned no status'],
    [{ status: 204, body: {} }, 'returned 204 with a body, which responses does not declare'],
    [{ status: 204, headers: { Location: '/1' } }, 'returned 204 with the header Location'],
    [{ status: 200 }, 'returned 200 with a body that is not as declared'],
    [{ status: 200, body: { n: 'x' } }, 'returned 200 with a body that is not as declared. n: '],
    [{ status: 201, body: { n: 1 } }, 'returned 201 with an invalid header Location'],
    [{ status: 201, body: { n: 1 }, headers: { Location: '/', Locatoin: '/' } }, 'Did you mean Location?'],
    [{ status: 201, body: { n: 1 }, headers: { Location: '/\r\nSet-Cookie: a=b' } }, 'is not printable ASCII'],
    [{ status: 201, body: { n: 1 }, headers: { Location: '/', Link: ['a', 'b\n'] } }, 'is not printable ASCII'],
    [{ status: 202, body: 'text' }, 'without a stream'],
    [{ status: 202 }, 'without a stream'],
  ])('throws for %j', (returned, message) => {
    expect(() => read(returned)).toThrow(message);
  });

  it('never repeats a value in an error, which may be a secret', () => {
    const returned = { status: 201, body: { n: 'hunter2' }, headers: { Location: 'hunter2\n' } };
    expect(() => read(returned)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });
});

describe('an event', () => {
  const write = (event: unknown, data?: z.ZodType) => {
    const read = readerOf({ 200: { stream: 'text/event-stream', ...(data === undefined ? {} : { data }) } });
    return read({ status: 200, body: [] }).stream?.toChunk(event);
  };

  it('is written with each of its fields, text as it is and other data as JSON', () => {
    expect(write({ data: 'a\nb\r\nc' })).toBe('data: a\ndata: b\ndata: c\n\n');
    expect(write({ event: 'price', id: '7', retry: 50, data: { n: 1, more: 2 } }, body)).toBe(
      'event: price\nid: 7\nretry: 50\ndata: {"n":1}\n\n',
    );
    expect(write({ data: '' })).toBe('data: \n\n');
  });

  it.each([
    ['x', 'is no object'],
    [{}, 'without data'],
    [{ data: 'x', id: 'a\nb' }, 'whose id is not one line'],
    [{ data: 'x', event: 'a\rdata: forged' }, 'whose event is not one line'],
    [{ data: 'x', id: 'a\0b' }, 'whose id is not one line'],
    [{ data: 'x', retry: -1 }, 'whose retry is no number'],
  ])('throws for %j', (event, message) => {
    expect(() => write(event)).toThrow(message);
  });

  it('throws for data that is not as declared', () => {
    expect(() => write({ data: { n: 'x' } }, body)).toThrow('data is not as declared. n: ');
  });

  it('is read back as it was written, for any text', () => {
    const lineEnd = /\r\n|\r|\n/;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '\r', 'data', 'é') }), (data) => {
        const lines = String(write({ data })).split('\n');
        expect(lines.slice(-2)).toEqual(['', '']);
        expect(lines.slice(0, -2).every((line) => line.startsWith('data: '))).toBe(true);
        expect(lines.slice(0, -2).map((line) => line.slice(6))).toEqual(data.split(lineEnd));
      }),
    );
  });
});

describe('a definition with responses', () => {
  it.each([
    [{}, 'responses: They must name a status.'],
    [{ 100: {} }, '100: It is not a status from 200 to 599.'],
    [{ 304: {} }, '304: The gateway sends it by itself.'],
    [{ 204: { body } }, '204: No Content has no body: remove it.'],
    [{ 200: { body, stream: 'text/csv' } }, '200: It has a body and a stream: remove one of them.'],
    [{ 200: { body: {} } }, '200: Its body is not a zod 4 schema.'],
    [{ 200: { stream: 'csv' } }, '200: Its stream is not a media type'],
    [{ 200: { stream: 'text/csv', data: body } }, '200: Its data and heartbeatMs need the stream text/event-stream.'],
    [{ 200: { stream: 'text/event-stream', heartbeatMs: 0 } }, '200: Its heartbeatMs is not a number of at least 10.'],
    [{ 200: { boby: body } }, '200: There is no boby. Did you mean body?'],
    [{ 200: { headers: { 'Content-Length': z.string() } } }, 'The gateway sets the header Content-Length: remove it.'],
    [{ 200: { headers: { 'a b': z.string() } } }, '"a b" is not a header name.'],
    [{ 200: { body, example: { n: 'x' } } }, '200: Its example does not match: n: '],
    [{ 409: {} }, '409: A problem has this status: remove one of them.'],
  ])('rejects %j', (responses, message) => {
    const problems = { out_of_stock: { status: 409, title: 'Out of stock' } };
    expect(() => define({ responses, problems, handle })).toThrow(message);
  });

  it('declares its 200 once', () => {
    expect(() => define({ response: body, responses: { 200: { body } }, handle })).toThrow(
      '200: It is declared by response: remove one of them.',
    );
    expect(define({ response: body, responses: { 204: {} }, handle }).replies).toMatchObject({
      200: { body },
      204: {},
    });
  });

  it.each([
    [{ Out: { status: 409, title: 'x' } }, '"Out" is not a code'],
    [{ not_found: { status: 404, title: 'x' } }, '"not_found" is a built-in code: choose another.'],
    [{ gone: { status: 200, title: 'x' } }, '"gone" needs a status from 400 to 599.'],
    [{ gone: { status: 410 } }, '"gone" needs a title.'],
  ])('rejects the problems %j', (problems, message) => {
    expect(() => define({ response: body, problems, handle })).toThrow(`problems: ${message}`);
  });

  it('rejects an unknown place of a parameter', () => {
    const parameters = z.object({ a: z.string().meta({ in: 'headers' }) });
    expect(() => define({ parameters, response: body, handle })).toThrow('a is in "headers", which is none of path');
  });
});
