import { defineService, type Service, z } from '@rostergate/endpoints';
import { Problem } from '@rostergate/server/problem';
import type { TickerFeed } from './ticker-feed.ts';
import { figures } from './tickers.ts';

/** Returns the service for the market data of one coin, from a list that all callers share. */
export function createCryptoService(feed: TickerFeed): Service {
  return defineService({
    name: 'crypto',
    summary: 'Price of a cryptocurrency',
    description:
      'Price, market capitalisation and supply of one cryptocurrency. The figures are at most 30 seconds old. While the public ticker is unreachable, they come from an illustrative snapshot, and `source` is `snapshot`.',
    parameters: z.object({
      symbol: z
        .string()
        .trim()
        .max(32)
        .default('BTC')
        .transform((symbol) => symbol.toUpperCase() || 'BTC')
        .meta({ description: 'Symbol of the coin, case-insensitive. BTC when absent or empty.', example: 'ETH' }),
    }),
    response: z.object({
      ...figures.shape,
      source: z.enum(['live', 'snapshot']).meta({ description: 'Whether the figures are real or illustrative.' }),
      as_of: z.iso.datetime().meta({ description: 'When the figures were taken, in UTC.' }),
    }),
    example: {
      symbol: 'ETH',
      name: 'Ethereum',
      rank: 2,
      price_usd: 3012.5,
      percent_change_24h: 1.2,
      percent_change_1h: -0.1,
      percent_change_7d: 4.8,
      market_cap_usd: 362_600_000_000,
      volume24: 14_200_000_000,
      price_btc: 0.0482,
      csupply: 120_400_000,
      tsupply: 120_400_000,
      msupply: null,
      source: 'snapshot',
      as_of: '2026-01-01T00:00:00.000Z',
    },
    errors: { 404: 'No coin in the list has this symbol.' },
    async handle({ symbol }) {
      const { tickers, source, as_of } = await feed.read();
      const ticker = tickers.get(symbol);
      if (ticker === undefined) {
        throw new Problem('symbol_not_found', 'Send the symbol of a listed coin, such as BTC, ETH or SOL.');
      }
      return { ...ticker, source, as_of };
    },
  });
}
