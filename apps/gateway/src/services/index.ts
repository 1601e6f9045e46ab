import { defineService, type Service, z } from '@rostergate/endpoints';
import { createCryptoService } from './crypto.ts';
import { createHttpService, describeHttpService, type HttpServiceOptions } from './http.ts';
import { createTickerFeed, type TickerFeed, type TickerFeedOptions } from './ticker-feed.ts';
import { loadCryptoSnapshot } from './tickers.ts';

export interface BuiltInServicesOptions {
  readonly cryptoUpstreamUrl: string;
  readonly fetch: TickerFeedOptions['fetch'];
  readonly clock: () => number;
  readonly wait: TickerFeedOptions['wait'];
  readonly onCryptoFailure?: TickerFeedOptions['onFailure'];
  readonly http: HttpServiceOptions;
}

/** Returns the built-in services. Creating them does no I/O. */
export function createBuiltInServices(options: BuiltInServicesOptions): readonly Service[] {
  const { cryptoUpstreamUrl, fetch, clock, wait, onCryptoFailure, http } = options;
  const feed = createTickerFeed({
    url: cryptoUpstreamUrl,
    snapshot: loadCryptoSnapshot(),
    fetch,
    clock,
    wait,
    onFailure: onCryptoFailure,
  });
  return withBackends(feed, createHttpService(http));
}

/** Returns the built-in services without backends, to describe endpoints that are not served. */
export function describeBuiltInServices(): readonly Service[] {
  return withBackends({ read: loadCryptoSnapshot }, describeHttpService());
}

function withBackends(feed: TickerFeed, http: Service): readonly Service[] {
  return Object.freeze([createCryptoService(feed), echoService, http, staticService]);
}

/** Returns its input: for testing keys, limits and bodies. */
export const echoService = defineService({
  name: 'echo',
  summary: 'Echo of the request',
  description: 'Returns the message and the body of the request, and the name of the key.',
  parameters: z.object({
    message: z.string().max(1000).default('').meta({ description: 'Any text.', example: 'Hello' }),
  }),
  body: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Any JSON object.', example: { n: 1 } }),
  response: z.object({
    message: z.string(),
    body: z.record(z.string(), z.unknown()).nullable().meta({ description: 'The request body; null without one.' }),
    caller: z.string().nullable().meta({ description: 'Name of the key; null without one.' }),
  }),
  example: { message: 'Hello', body: { n: 1 }, caller: null },
  handle: ({ message, body }, { principal }) => ({ message, body: body ?? null, caller: principal?.name ?? null }),
});

/** A fixed response, set in endpoints.json. */
const staticService = defineService({
  name: 'static',
  summary: 'A fixed response',
  description: 'Returns the JSON value that the configuration sets.',
  parameters: z.object({
    answer: z
      .unknown()
      .refine((value) => value !== undefined)
      .meta({ in: 'configuration', description: 'The response: any JSON value.' }),
  }),
  response: z.unknown(),
  exampleFrom: 'answer',
  handle: ({ answer }) => answer,
});
