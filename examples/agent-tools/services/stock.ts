import { defineService, z } from 'rostergate';

const stock = { apple: 140, pear: 0 };

export default defineService({
  name: 'stock',
  summary: 'Pieces in stock',
  parameters: z.object({ product: z.enum(['apple', 'pear']).meta({ description: 'Name of the product.' }) }),
  response: z.object({ product: z.string(), pieces: z.number().int() }),
  example: { product: 'apple', pieces: 140 },
  handle: ({ product }) => ({ product, pieces: stock[product] }),
});
