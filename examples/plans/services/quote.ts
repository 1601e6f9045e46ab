import { defineService, z } from 'rostergate';

const euros = { chf: 1.05, gbp: 1.17, usd: 0.92 };

export default defineService({
  name: 'quote',
  summary: 'Price of a currency, in euros',
  parameters: z.object({ currency: z.enum(['chf', 'gbp', 'usd']) }),
  response: z.object({ currency: z.string(), euros: z.number() }),
  example: { currency: 'chf', euros: 1.05 },
  handle: ({ currency }) => ({ currency, euros: euros[currency] }),
});
