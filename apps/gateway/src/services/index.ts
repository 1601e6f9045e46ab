import type { Service } from '@rostergate/endpoints';
import { createCryptoService } from './crypto.ts';
import { loadCryptoSnapshot } from './crypto-snapshot.ts';
import { echoService } from './echo.ts';
import { createHttpService, describeHttpService, type HttpServiceOptions } from './http.ts';
import { staticService } from './static.ts';
import { createTickerFeed, type TickerFeed, type TickerFeedOptions } from './ticker-feed.ts';

export interface BuiltInServicesOptions {
  readonly cryptoUpstreamUrl: string;
  readonly fetch: TickerFeedOptions['fetch'];
  readonly clock: () => number;
  readonly wait: TickerFeedOptions['wait'];
  readonly onCryptoFailure?: TickerFeedOptions['onFailure'];
  readonly http: HttpServiceOptions;
}

/** The services that every gateway has. Making them does no I/O. */
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

/** The same services with nothing behind them: for describing endpoints where none is served. */
export function describeBuiltInServices(): readonly Service[] {
  return withBackends({ read: loadCryptoSnapshot }, describeHttpService());
}

function withBackends(feed: TickerFeed, http: Service): readonly Service[] {
  return Object.freeze([createCryptoService(feed), echoService, http, staticService]);
}
