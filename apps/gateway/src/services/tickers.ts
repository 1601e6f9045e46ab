import { z } from 'zod';
import snapshot from './crypto-snapshot.json' with { type: 'json' };

const supply = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; null when unknown.` });

/** The market data of a coin. */
export const figures = z.object({
  symbol: z.string().meta({ description: 'Symbol of the coin, in capitals.' }),
  name: z.string().meta({ description: 'Name of the coin.' }),
  rank: z.int().meta({ description: 'Place by market capitalisation.' }),
  price_usd: z.number().meta({ description: 'Price of one coin in US dollars.' }),
  percent_change_24h: z.number().meta({ description: 'Change of the price in 24 hours, in percent.' }),
  percent_change_1h: z.number().meta({ description: 'Change of the price in an hour, in percent.' }),
  percent_change_7d: z.number().meta({ description: 'Change of the price in 7 days, in percent.' }),
  market_cap_usd: z.number().meta({ description: 'Price times circulating supply, in US dollars.' }),
  volume24: z.number().meta({ description: 'Traded in 24 hours, in US dollars.' }),
  price_btc: z.number().meta({ description: 'Price of one coin in bitcoin.' }),
  csupply: supply('Coins in circulation'),
  tsupply: supply('Coins that exist'),
  msupply: supply('Coins that can ever exist'),
});

/** One coin of the list. */
export type Ticker = z.output<typeof figures>;

/**
 * Parses the response of the ticker service: `{ data: [{ symbol, name, rank, price_usd: "1.5", … }] }`, most numbers as
 * strings. Skips invalid entries; throws if none is valid.
 */
export function parseTickers(value: unknown): ReadonlyMap<string, Ticker> {
  const { data } = listSchema.parse(value);
  const tickers = new Map<string, Ticker>();
  for (const entry of data) {
    const parsed = tickerSchema.safeParse(entry);
    // Lists are sorted by rank: the larger coin wins a shared symbol.
    if (parsed.success && !tickers.has(parsed.data.symbol)) tickers.set(parsed.data.symbol, parsed.data);
  }
  if (tickers.size === 0) throw new Error('The response of the ticker service contains no ticker.');
  return tickers;
}

const listSchema = z.object({ data: z.array(z.unknown()) });

const figure = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());
const parsedSupply = figure.nullable().catch(null);

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
  csupply: parsedSupply,
  tsupply: parsedSupply,
  msupply: parsedSupply,
});

/** A ticker list and its source. */
export interface TickerList {
  readonly tickers: ReadonlyMap<string, Ticker>;
  readonly source: 'live' | 'snapshot';
  readonly as_of: string;
}

/** Returns the shipped list: invented, plausible figures for when the ticker service is unreachable. */
export function loadCryptoSnapshot(): TickerList {
  return { tickers: parseTickers(snapshot), source: 'snapshot', as_of: snapshot.as_of };
}
