import { once } from 'node:events';
import http, { type IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { expect, it } from 'vitest';
import { exchange, parseAnswers } from '../../test/raw-exchange.ts';
import { startEdge } from '../../test/start-edge.ts';
import { isLeading, type LeadingResponse, takeLeadingLines } from './leading-lines.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n`;
const fieldsOf = (text: string) => parseAnswers(text)[0]?.fields.filter(([name]) => name !== 'date');

it('is known to work with this Node', () => {
  expect(takeLeadingLines(Object.create(ServerResponse.prototype))).toBe(true);
});

it('leaves a class alone that makes heads in a way of its own', () => {
  const other = { _storeHeader() {} } as unknown as ServerResponse;
  expect(takeLeadingLines(other)).toBe(false);
  expect(isLeading(other)).toBe(false);
});

it('gives a short answer the head that it has the long way, each field once and in the same order', async () => {
  const { port } = await startEdge({
    getA: () => ({ status: 200, body: { a: 'ü' } }),
    getB: () => ({ status: 200, body: { a: 'ü' }, headers: {} }),
  });
  const [short, long] = [await exchange(port, get('/a')), await exchange(port, get('/b'))];
  expect(fieldsOf(short)).toEqual(fieldsOf(long));
  expect(fieldsOf(short)).toContainEqual(['x-request-id', 'mine']);
  expect(fieldsOf(short)).toContainEqual(['content-length', '10']);
});

it('says nothing twice when an answer is replaced by a problem on its way', async () => {
  const { port } = await startEdge({ getA: () => ({ status: 200, raw: 'a', contentType: 'text/plain\n' }) });
  const text = await exchange(port, get('/a'));
  const [answer] = parseAnswers(text);
  expect(answer?.status).toBe(500);
  const names = answer?.fields.map(([name]) => name) ?? [];
  expect(new Set(names).size).toBe(names.length);
});

it('says nothing twice that somebody else has set before', async () => {
  const app = express().use((_req, res, next) => {
    res.set('Cache-Control', 'public');
    next();
  });
  const { port } = await startEdge({}, { app });
  const [answer] = parseAnswers(await exchange(port, get('/nowhere')));
  expect(answer?.status).toBe(404);
  expect(answer?.fields.filter(([name]) => name === 'cache-control')).toEqual([['cache-control', 'no-store']]);
});

it('goes before what a response is given by whoever writes it', async () => {
  class Response extends ServerResponse {}
  takeLeadingLines(Response.prototype);
  const server = http.createServer({ ServerResponse: Response as typeof ServerResponse }, (_req, res) => {
    (res as unknown as LeadingResponse).leadingLines = 'A: 1\r\n';
    res.writeHead(200, { B: '2' }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const [answer] = (await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  expect(answer.resume().rawHeaders.slice(0, 4)).toEqual(['A', '1', 'B', '2']);
  server.close();
});
