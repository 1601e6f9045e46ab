import { z } from '@rostergate/endpoints';

const supply = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; null when unknown.` });

/** The figures of a coin, as the list and the answer give them. */
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
