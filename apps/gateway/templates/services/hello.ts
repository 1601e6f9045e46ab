import { defineService, z } from 'rostergate';

/** Its schemas document the endpoint, validate each request and type the arguments of `handle`. */
export default defineService({
  name: 'hello',
  summary: 'A greeting',
  parameters: z.object({
    name: z.string().min(1).max(100).default('world').meta({ description: 'Name to greet.', example: 'Ada' }),
  }),
  response: z.object({ greeting: z.string() }),
  example: { greeting: 'Hello, Ada!' },
  handle: ({ name }) => ({ greeting: `Hello, ${name}!` }),
});
