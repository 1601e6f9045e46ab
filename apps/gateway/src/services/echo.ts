import { defineService, z } from '@rostergate/endpoints';

/** Sends back what it was given: for trying keys, limits and bodies. */
export const echoService = defineService({
  name: 'echo',
  summary: 'What you sent',
  description: 'Sends back the message and the body of the request, with the name of the key that was used.',
  parameters: z.object({
    message: z.string().max(1000).default('').meta({ description: 'Any text.', example: 'Hello' }),
  }),
  body: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Any JSON object.', example: { n: 1 } }),
  response: z.object({
    message: z.string(),
    body: z.record(z.string(), z.unknown()).nullable().meta({ description: 'The body; null when there was none.' }),
    caller: z.string().nullable().meta({ description: 'Name of the key; null without one.' }),
  }),
  example: { message: 'Hello', body: { n: 1 }, caller: null },
  handle: ({ message, body }, { principal }) => ({ message, body: body ?? null, caller: principal?.name ?? null }),
});
