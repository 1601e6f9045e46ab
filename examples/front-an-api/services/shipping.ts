import { defineService, z } from 'rostergate';

/** Its schemas document the endpoint, validate each request and type the arguments of `handle`. */
export default defineService({
  name: 'shipping',
  summary: 'Price of a parcel',
  parameters: z.object({
    grams: z.coerce.number().int().min(1).max(31_500).meta({ description: 'Weight of the parcel.', example: 800 }),
  }),
  response: z.object({ cents: z.number().int() }),
  example: { cents: 550 },
  handle: ({ grams }) => ({ cents: grams <= 1_000 ? 550 : 550 + 120 * Math.ceil(grams / 1_000 - 1) }),
});
