import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { services } from '../test/services.ts';
import { defineService } from './define-service.ts';
import type { Endpoint } from './endpoint.ts';
import { parseEndpoints } from './parse-endpoints.ts';
import { createInputReader, type EndpointRequest, responseCheckOf } from './service-validation.ts';

const readerOf = (definition: object) =>
  createInputReader(parseEndpoints({ endpoints: [definition] }, services).endpoints[0] as Endpoint);
const request = (parts: Partial<EndpointRequest>): EndpointRequest => ({
  path: {},
  query: {},
  body: undefined,
  ...parts,
});

describe('createInputReader', () => {
  it('reads arguments from path, query and configuration, parsed', () => {
    const read = readerOf({
      path: '/q/{coin}',
      service: 'quote',
      parameters: { symbol: { source: 'path', key: 'coin' }, days: 7 },
    });
    expect(read(request({ path: { coin: ' eth ' } }))).toEqual({ input: { symbol: 'eth', days: 7 } });
  });

  it('applies the defaults of the service to absent parameters', () => {
    expect(readerOf({ path: '/q', service: 'quote' })(request({}))).toEqual({ input: { symbol: 'BTC' } });
  });

  it('ignores request parameters that the configuration sets', () => {
    const read = readerOf({ path: '/q', service: 'quote', parameters: { symbol: 'ETH' } });
    expect(read(request({ query: { symbol: 'BTC' } }))).toEqual({ input: { symbol: 'ETH' } });
  });

  it('passes the body beside the parameters', () => {
    const read = readerOf({ path: '/hi', method: 'POST', service: 'greet', parameters: { greeting: 'Hello' } });
    expect(read(request({ body: { name: 'Ada' } }))).toEqual({ input: { greeting: 'Hello', body: { name: 'Ada' } } });
    expect(read(request({ body: { name: 7 } }))).toMatchObject({ faults: [{ pointer: '/name' }] });
  });

  it('reports a fault by the name of the request parameter', () => {
    const read = readerOf({ path: '/q', service: 'quote', parameters: { symbol: { source: 'query', key: 'coin' } } });
    expect(read(request({ query: { coin: 'far too long for it' } }))).toMatchObject({
      faults: [{ parameter: 'coin' }],
    });
  });
});

const checkOf = (response: z.ZodType) =>
  responseCheckOf(
    defineService({ name: 'a', summary: '', parameters: z.object({}), response, handle: () => undefined as never }),
  );

describe('responseCheckOf', () => {
  it('returns a valid response with its defaults', () => {
    const check = checkOf(z.object({ n: z.number(), unit: z.string().default('EUR'), at: z.date().optional() }));
    const at = new Date(0);
    expect(check({ n: 1, at })).toEqual({ n: 1, unit: 'EUR', at });
  });

  it('removes undeclared members, except with a loose schema', () => {
    expect(checkOf(z.object({ n: z.number() }))({ n: 1, password_hash: 'x' })).toEqual({ n: 1 });
    expect(checkOf(z.looseObject({ n: z.number() }))({ n: 1, more: 2 })).toEqual({ n: 1, more: 2 });
  });

  it('rejects an invalid response, naming service and path but no value', () => {
    const check = checkOf(z.object({ prices: z.array(z.object({ usd: z.number() })) }));
    expect(() => check({ prices: [{ usd: 1 }, { usd: 'secret' }] })).toThrow(
      'The response of the service a does not match its schema. response.prices.1.usd: Invalid input: expected number',
    );
    expect(() => check({ prices: [{ usd: 'secret' }] })).not.toThrow(/secret/);
    expect(() => check(undefined)).toThrow('response: ');
  });

  it('returns the response of a transforming schema unchanged', () => {
    expect(checkOf(z.object({ n: z.string().transform(Number) }))({ n: 1 })).toEqual({ n: 1 });
  });
});
