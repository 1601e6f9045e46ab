import type { UpstreamGroup } from '@rostergate/runtime/upstream';
import { z } from 'zod';

export const settingsPrefix = 'ROSTERGATE_PROXY_';

/** Every setting, once: type, default, bounds and what it does. `ROSTERGATE_PROXY_<FIELD>` in the environment. */
export const settingsSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on. `0.0.0.0` or `::` listens on all.'),
  port: z.int().min(0).max(65_535).default(8010).describe('Port to listen on. 0 takes any free one.'),
  trusted_proxies: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Addresses and networks (such as `10.0.0.0/8`) of the proxies in front. Only what they say in forwarded headers is believed.',
    ),
  tls_certificate_file: z
    .string()
    .default('')
    .describe('Path of the certificate chain (PEM) to serve HTTPS with. A renewed file is taken up while running.'),
  tls_key_file: z.string().default('').describe('Path of the private key (PEM) of the certificate.'),
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
  upstream_form: z
    .enum(['contract', 'vendor'])
    .default('contract')
    .describe('What the upstream speaks: the contract as it is, or the forms of the vendor where they differ from it.'),
  upstream_timeout_ms: milliseconds(600_000)
    .default(15_000)
    .describe('How long the upstream may take to begin an answer, waiting in the queue and retries included.'),
  upstream_connect_timeout_ms: milliseconds(60_000)
    .default(2_000)
    .describe('How long connecting to the upstream may take.'),
  upstream_body_timeout_ms: milliseconds(600_000)
    .default(15_000)
    .describe('How long the upstream may pause within an answer.'),
  upstream_retries: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('How often a request that is safe to repeat is sent again when the upstream fails.'),
  upstream_concurrency_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(32)
    .describe('Most requests of one service account that are with the upstream at a time. More wait in a queue.'),
  upstream_queue_max: z
    .int()
    .min(0)
    .max(100_000)
    .default(256)
    .describe('Most requests of one service account that wait. One more is answered with 503 and `Retry-After`.'),
  cache_seconds_max: z
    .int()
    .min(0)
    .max(86_400)
    .default(0)
    .describe(
      'How long an answer may be kept and given again to keys of the same account and company, whatever the upstream says of it. A write of the account or the company through this proxy ends it at once; one that takes another way is seen when the time is over. 0 keeps none.',
    ),
  cache_bytes_max: z
    .int()
    .min(0)
    .max(17_179_869_184)
    .default(67_108_864)
    .describe(
      'How much all kept answers may weigh, in bytes. One that takes more than a quarter of it, or more than 16 MiB, is not kept.',
    ),
  validate_responses: z
    .enum(['off', 'sample', 'strict'])
    .default('sample')
    .describe(
      'Whether answers of the upstream are held against the contract: none, some of them after they were sent, or each of them before it is sent, where a broken one, and one above 16 MiB, becomes a 502.',
    ),
  validate_sample_every: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe('With `sample`, of the answers of each operation the first is checked, and then one in so many.'),
  keys_file: z
    .string()
    .min(1)
    .default('proxy-keys.json')
    .describe(
      'Path of the JSON file that lists the service accounts and the keys of callers, relative to the folder of the settings file.',
    ),
  token_lifetime_s: z
    .int()
    .min(1)
    .max(86_400)
    .default(3_600)
    .describe('How long a bearer token of `POST /v2/login` is good.'),
  enable_landing_page: z.boolean().default(true).describe('Serve the roster page at `/`.'),
  enable_docs: z.boolean().default(true).describe('Serve Swagger UI at `/docs`.'),
  enable_redoc: z.boolean().default(true).describe('Serve ReDoc at `/redoc`.'),
  enable_openapi: z
    .boolean()
    .default(true)
    .describe('Serve the contract at `/openapi.json`. Without it `/docs` and `/redoc` are off as well.'),
  enable_health: z.boolean().default(true).describe('Serve `/health` and what stands below it.'),
  enable_metrics: z.boolean().default(true).describe('Serve `/metrics`.'),
  metrics_requires_auth: z.boolean().default(false).describe('Whether `/metrics` needs a valid key.'),
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
  redis_url: z.string().default('').meta({
    secret: true,
    description:
      'Address of a Redis in which the limits are counted and the tokens of `POST /v2/login` are stored, so that several machines share them. Without it each machine has its own.',
  }),
  redis_prefix: z
    .string()
    .max(64)
    .default('rostergate-proxy:')
    .describe('What the names of the keys in Redis begin with.'),
  rate_limit_on_store_failure: z
    .enum(['local', 'open', 'closed'])
    .default('local')
    .describe(
      'What to do while Redis cannot be reached: count in this process (`local`), let every request pass (`open`) or refuse every request with 503 (`closed`).',
    ),
  cors_origins: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Origins whose pages may call this server from a browser, such as `https://app.example`, or `*` for any.',
    ),
  cors_credentials: z
    .boolean()
    .default(false)
    .describe('Whether those pages may send cookies and other credentials of the browser. Not with `*`.'),
  cors_max_age_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(600)
    .describe('How long a browser may keep the answer to its preflight.'),
  enable_compression: z
    .boolean()
    .default(true)
    .describe('Compress answers above 1 KiB with br or gzip for callers that accept it.'),
  body_bytes_max: z
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(10_485_760)
    .describe('Longest request body that is read, in bytes. A longer one is answered with 413.'),
  headers_timeout_ms: z
    .int()
    .min(100)
    .max(600_000)
    .default(10_000)
    .describe('How long a caller may take to send the head of a request.'),
  request_timeout_ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe('How long a caller may take to send a whole request. 0 sets no bound.'),
  keep_alive_timeout_ms: z.int().min(0).max(3_600_000).default(65_000).describe('How long an idle connection is kept.'),
  drain_ms: milliseconds(600_000)
    .default(5_000)
    .describe('How long requests in flight may take to end after SIGTERM or SIGINT.'),
  log_level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least serious level that is logged.'),
  log_sample_every: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Of the requests answered below 400, one in so many is logged. Errors always are.'),
  reload_enabled: z
    .boolean()
    .default(true)
    .describe('Take up edits of the configuration’s files while running. SIGHUP does so in any case.'),
});

export type Settings = Readonly<z.output<typeof settingsSchema>>;

/** What holds of every connection to the upstream. */
export function connectionOptions(settings: Settings): NonNullable<UpstreamGroup['connections']> {
  return {
    connectTimeoutMs: settings.upstream_connect_timeout_ms,
    bodyTimeoutMs: settings.upstream_body_timeout_ms,
    // How many there are is for the gates of the accounts to say, and for those who read slowly.
    connectionsMax: 4_096,
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
  if (url?.port === '0') {
    context.addIssue('No server listens on port 0. Write the port of the API.');
    return z.NEVER;
  }
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    context.addIssue('Write an http or https address without user, query and fragment.');
    return z.NEVER;
  }
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith('/v2') ? base : `${base}/v2`;
  return url;
}
