import type { UpstreamOptions } from '@rostergate/runtime/upstream';
import { z } from 'zod';

export const settingsPrefix = 'ROSTERGATE_PROXY_';

/** Every setting, once: type, default, bounds and what it does. `ROSTERGATE_PROXY_<FIELD>` in the environment. */
export const settingsSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on. `0.0.0.0` or `::` listens on all.'),
  port: z.int().min(0).max(65_535).default(8010).describe('Port to listen on. 0 takes any free one.'),
  upstream_url: z
    .string()
    .default('http://127.0.0.1:8020/v2')
    .transform(parseUpstreamUrl)
    // Somebody may have put credentials into it, which no message may repeat; a valid one has none.
    .meta({
      secret: true,
      commandLine: true,
      description: 'Address of the Staff Member API. `/v2` is added when its path does not end in it.',
    }),
  keys_file: z
    .string()
    .min(1)
    .describe('Path of the JSON file that lists the service accounts and the keys of callers.'),
  upstream_connect_timeout_ms: milliseconds(60_000)
    .default(2_000)
    .describe('How long connecting to the upstream may take.'),
  upstream_headers_timeout_ms: milliseconds(600_000)
    .default(15_000)
    .describe('How long the upstream may take to begin an answer.'),
  upstream_body_timeout_ms: milliseconds(600_000)
    .default(15_000)
    .describe('How long the upstream may pause within an answer.'),
  rate_limit_enabled: z
    .boolean()
    .default(true)
    .describe('Count requests and refuse those above the limit. `false` removes the limit headers too.'),
  rate_limit_per_minute: perMinute()
    .default(60)
    .describe('Requests that one address may make without a key in any 60 seconds.'),
  rate_limit_per_minute_authenticated: perMinute()
    .default(300)
    .describe('Requests that one owner may make with a valid key in any 60 seconds.'),
  token_lifetime_s: z
    .int()
    .min(1)
    .max(86_400)
    .default(3_600)
    .describe('How long a bearer token of `POST /v2/login` is good.'),
  body_bytes_max: z
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(10_485_760)
    .describe('Longest request body that is read, in bytes. A longer one is answered with 413.'),
  drain_ms: milliseconds(600_000)
    .default(5_000)
    .describe('How long requests in flight may take to end after SIGTERM or SIGINT.'),
  log_level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least serious level that is logged.'),
});

export type Settings = Readonly<z.output<typeof settingsSchema>>;

/** How the upstream is to be reached. */
export function upstreamOptions(settings: Settings): UpstreamOptions {
  return {
    baseUrl: settings.upstream_url,
    connectTimeoutMs: settings.upstream_connect_timeout_ms,
    headersTimeoutMs: settings.upstream_headers_timeout_ms,
    bodyTimeoutMs: settings.upstream_body_timeout_ms,
  };
}

function milliseconds(max: number) {
  return z.int().min(1).max(max);
}

function perMinute() {
  return z.int().min(1).max(1_000_000);
}

/** The API's base, which ends in the contract's `/v2`. Credentials belong in the keys file, not into an address. */
function parseUpstreamUrl(text: string, context: z.RefinementCtx): URL {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    context.addIssue('Write an http or https address without user, query and fragment.');
    return z.NEVER;
  }
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith('/v2') ? base : `${base}/v2`;
  return url;
}
