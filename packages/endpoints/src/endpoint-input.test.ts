import { describe, expect, it } from 'vitest';
import { services } from '../test/services.ts';
import type { Endpoint } from './endpoint.ts';
import { createInputReader, type EndpointRequest } from './endpoint-input.ts';
import { parseEndpoints } from './parse-endpoints.ts';

const readerOf = (definition: object) =>
  createInputReader(parseEndpoints({ endpoints: [definition] }, services).endpoints[0] as Endpoint);
const request = (parts: Partial<EndpointRequest>): EndpointRequest => ({
  path: {},
  query: {},
  body: undefined,
  ...parts,
});

describe('createInputReader', () => {
  it('gathers arguments from path, query and configuration, parsed', () => {
    const read = readerOf({
      path: '/q/{coin}',
      service: 'quote',
      parameters: { symbol: { source: 'path', key: 'coin' }, days: 7 },
    });
    expect(read(request({ path: { coin: ' eth ' } }))).toEqual({ input: { symbol: 'eth', days: 7 } });
  });

  it('applies the defaults of the service to what is absent', () => {
    expect(readerOf({ path: '/q', service: 'quote' })(request({}))).toEqual({ input: { symbol: 'BTC' } });
  });

  it('lets nobody overwrite what the configuration fixed', () => {
    const read = readerOf({ path: '/q', service: 'quote', parameters: { symbol: 'ETH' } });
    expect(read(request({ query: { symbol: 'BTC' } }))).toEqual({ input: { symbol: 'ETH' } });
  });

  it('gives the body beside the parameters', () => {
    const read = readerOf({ path: '/hi', method: 'POST', service: 'greet', parameters: { greeting: 'Hello' } });
    expect(read(request({ body: { name: 'Ada' } }))).toEqual({ input: { greeting: 'Hello', body: { name: 'Ada' } } });
    expect(read(request({ body: { name: 7 } }))).toMatchObject({ faults: [{ pointer: '/name' }] });
  });

  it('names a fault as the caller knows the parameter', () => {
    const read = readerOf({ path: '/q', service: 'quote', parameters: { symbol: { source: 'query', key: 'coin' } } });
    expect(read(request({ query: { coin: 'far too long for it' } }))).toMatchObject({
      faults: [{ parameter: 'coin' }],
    });
  });
});
