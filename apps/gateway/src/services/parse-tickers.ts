import { z } from 'zod';
import type { Ticker } from './ticker.ts';

/**
 * Reads the answer of the ticker service: `{ data: [{ symbol, name, rank, price_usd: "1.5", … }] }`, most numbers as
 * text. Entries that cannot be read are left out; throws when none is left, for then the answer is something else.
 */
export function parseTickers(value: unknown): ReadonlyMap<string, Ticker> {
  const { data } = listSchema.parse(value);
  const tickers = new Map<string, Ticker>();
  for (const entry of data) {
    const parsed = tickerSchema.safeParse(entry);
    // Lists go by rank: of two coins with one symbol the bigger one is meant.
    if (parsed.success && !tickers.has(parsed.data.symbol)) tickers.set(parsed.data.symbol, parsed.data);
  }
  if (tickers.size === 0) throw new Error('The answer of the ticker service holds no ticker.');
  return tickers;
}

const listSchema = z.object({ data: z.array(z.unknown()) });

const figure = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());
const supply = figure.nullable().catch(null);

const tickerSchema = z.object({
  symbol: z.string().trim().min(1).toUpperCase(),
  name: z.string(),
  rank: figure.pipe(z.int()),
  price_usd: figure,
  percent_change_24h: figure,
  percent_change_1h: figure,
  percent_change_7d: figure,
  market_cap_usd: figure,
  volume24: figure,
  price_btc: figure,
  csupply: supply,
  tsupply: supply,
  msupply: supply,
});
