import { z } from 'zod';

/** How long responses take, in milliseconds. */
export interface Latency {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Which share of requests fails, from 0 to 1, and with which status. */
export interface Failures {
  readonly share: number;
  readonly status: number;
}

const latencyMaxMs = 60_000;

/** The settings that only the vendor's form has. */
export const simulationFields = {
  latency: z
    .string()
    .transform(parseLatency)
    .optional()
    .describe(
      'With `form: vendor`: milliseconds by which each request is delayed, such as `200`, or a range such as `50-400`; at most 60000.',
    ),
  fail: z
    .string()
    .transform(parseFailures)
    .optional()
    .describe(
      'With `form: vendor`: percentage of requests that fail, and their status, such as `5` or `2.5:503`; 500 without a status. A failed request changes nothing.',
    ),
  random_seed: z
    .string()
    .min(1)
    .max(100)
    .default('1')
    .describe('Selects the random delays and failures: the same requests in the same order get the same ones.'),
  requests_per_minute_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      'With `form: vendor`: maximum requests in any 60 seconds per token, and logins per address; others get 429.',
    ),
};

const onlyForVendor = ['latency', 'fail', 'requests_per_minute_max'] as const;

/** Reports settings of the vendor's form without it. */
export function checkSimulationSettings(
  settings: Partial<Readonly<Record<'form' | (typeof onlyForVendor)[number], unknown>>> | null | undefined,
  context: z.core.$RefinementCtx,
): void {
  if (typeof settings !== 'object' || settings === null || settings.form === 'vendor') return;
  for (const name of onlyForVendor) {
    const input = settings[name];
    if (input !== undefined) {
      context.addIssue({
        code: 'custom',
        path: [name],
        input,
        message: 'requires the setting form with the value vendor',
      });
    }
  }
}

function parseLatency(text: string, context: z.RefinementCtx): Latency {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const [minMs, maxMs] = [Number(first), Number(last)];
  // Without a match both are NaN.
  if (minMs <= maxMs && maxMs <= latencyMaxMs) return { minMs, maxMs };
  context.addIssue(`Write milliseconds up to ${latencyMaxMs}, such as 200, or a range such as 50-400.`);
  return z.NEVER;
}

function parseFailures(text: string, context: z.RefinementCtx): Failures {
  const [, percentage, code = '500'] = /^(\d{1,3}(?:\.\d{1,3})?)(?::([45]\d\d))?$/.exec(text) ?? [];
  const share = Number(percentage) / 100;
  if (share <= 1) return { share, status: Number(code) };
  context.addIssue(
    'Write a percentage up to 100, and a status from 400 to 599 if it is not 500, such as 5 or 2.5:503.',
  );
  return z.NEVER;
}
