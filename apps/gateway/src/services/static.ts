import { defineService, z } from '@rostergate/endpoints';

/** A fixed answer, written in endpoints.json. */
export const staticService = defineService({
  name: 'static',
  summary: 'A fixed answer',
  description: 'Answers with the JSON value that the configuration holds.',
  parameters: z.object({
    answer: z
      .unknown()
      .refine((value) => value !== undefined)
      .meta({ in: 'configuration', description: 'What to answer: any JSON value.' }),
  }),
  response: z.unknown(),
  handle: ({ answer }) => answer,
});
