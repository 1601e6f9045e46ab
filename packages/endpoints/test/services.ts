import { defineService } from '../src/define-service.ts';
import { z } from '../src/index.ts';

/** Looks up a price: an optional parameter with a default. */
export const quote = defineService({
  name: 'Quote',
  summary: 'Price of a coin',
  parameters: z.object({
    symbol: z.string().trim().max(10).default('BTC').meta({ description: 'Symbol of the coin.', example: 'ETH' }),
    days: z.int().min(1).max(30).optional(),
  }),
  response: z.object({ symbol: z.string(), price: z.number() }),
  example: { symbol: 'ETH', price: 1 },
  errors: { 404: 'No coin has this symbol.' },
  handle: ({ symbol }) => ({ symbol, price: 1 }),
});

/** Takes a body, and a greeting that the configuration sets. */
export const greet = defineService({
  name: 'greet',
  summary: 'A greeting',
  description: 'Greets a person by name.',
  parameters: z.object({ greeting: z.string().min(2).meta({ in: 'configuration' }) }),
  body: z.object({ name: z.string() }),
  response: z.object({ text: z.string() }),
  handle: ({ greeting, body }) => ({ text: `${greeting}, ${body.name}` }),
});

export const services = [quote, greet];
