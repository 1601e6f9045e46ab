import {
  bodyBytesMaxField,
  compressionField,
  corsFields,
  frontFields,
  limitFields,
  listenFields,
  pageFields,
  planFields,
  processFields,
  reloadFields,
  storeFailureField,
  timeoutFields,
} from '@rostergate/config/server-fields';
import type { UpstreamGroup } from '@rostergate/upstream';
import { z } from 'zod';
import { issuersField } from './keys/issuers-field.ts';
import { mcpField } from './mcp/mcp-field.ts';
import { passThroughField } from './pass-through/pass-through-field.ts';

export const settingsPrefix = 'ROSTERGATE_PROXY_';

/** The schema of all settings: type, default, bounds and description. `ROSTERGATE_PROXY_<FIELD>` in the environment. */
export const settingsSchema = z.strictObject({
  ...listenFields(8010),
  ...frontFields,
  upstream_url: z
    .string()
    .default('http://127.0.0.1:8020/v2')
    .transform(parseUpstreamUrl)
    // An invalid address may contain credentials, which no message may repeat.
    .meta({
      secret: true,
      commandLine: true,
      description: 'Address of the Staff Member API. `/v2` is added when its path does not end in it.',
    }),
  upstream_form: z
    .enum(['contract', 'vendor'])
    .default('contract')
    .describe('API form of the upstream: the contract, or the vendor’s forms where they differ from it.'),
  upstream_timeout_ms: milliseconds(600_000)
    .default(15_000)
    .describe('How long the upstream may take to begin a response, including queueing and retries.'),
  upstream_connect_timeout_ms: milliseconds(60_000)
    .default(2_000)
    .describe('How long a connection to the upstream may take.'),
  upstream_body_timeout_ms: milliseconds(600_000)
    .default(15_000)
    .describe('How long the upstream may pause within a response.'),
  upstream_retries: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('How often a request that is safe to repeat is retried when the upstream fails.'),
  upstream_concurrency_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(32)
    .describe('Most concurrent requests of one service account to the upstream. More wait in a queue.'),
  upstream_queue_max: z
    .int()
    .min(0)
    .max(100_000)
    .default(256)
    .describe('Most queued requests of one service account. Further ones get 503 with `Retry-After`.'),
  cache_seconds_max: z
    .int()
    .min(0)
    .max(86_400)
    .default(0)
    .describe(
      'How long a response is stored and sent again to keys of the same account and company, regardless of its `Cache-Control`. A write of the account or company through this proxy invalidates it at once; other writes are seen when the time is over. 0 stores none.',
    ),
  cache_bytes_max: z
    .int()
    .min(0)
    .max(17_179_869_184)
    .default(67_108_864)
    .describe(
      'Most memory for stored responses, in bytes. A response above a quarter of it, or above 16 MiB, is not stored.',
    ),
  validate_responses: z
    .enum(['off', 'sample', 'strict'])
    .default('sample')
    .describe(
      'Which responses of the upstream are validated against the contract: none (`off`), some after they were sent (`sample`), or each before it is sent (`strict`), where an invalid one, and one above 16 MiB, becomes a 502.',
    ),
  validate_sample_every: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe('With `sample`, the first response of each operation and then every n-th is validated.'),
  keys_file: z
    .string()
    .min(1)
    .default('proxy-keys.json')
    .describe(
      'Path of the JSON file with the service accounts and the keys of callers, relative to the folder of the settings file.',
    ),
  key_store_url: z
    .string()
    .regex(
      /^$|^postgres(ql)?:\/\/|^rediss?(-cluster|-sentinel)?:\/\//,
      'Write an address that begins with postgres://, redis:// or another scheme of Redis.',
    )
    .default('')
    .meta({
      secret: true,
      description:
        'URL of the PostgreSQL database or the Redis server that stores the keys of several proxies, as digests. A change applies on every proxy within 2 seconds. Keys of `keys_file` are valid in addition, and its accounts serve both. Without a URL, `rostergate-staff-proxy keys` writes `keys_file`. Requires a restart.',
    }),
  key_store_stale_seconds_max: z
    .int()
    .min(1)
    .max(86_400)
    .default(300)
    .describe(
      'How long the last known keys stay valid while the key store is unreachable, in seconds. After that, their requests get 503.',
    ),
  jwt_issuers: issuersField,
  token_lifetime_s: z
    .int()
    .min(1)
    .max(86_400)
    .default(3_600)
    .describe('How long a bearer token of `POST /v2/login` is valid.'),
  mcp: mcpField,
  pass_through: passThroughField,
  enable_landing_page: z.boolean().default(true).describe('Serve the roster page at `/`.'),
  ...pageFields,
  enable_health: z.boolean().default(true).describe('Serve `/health`, `/health/live` and `/health/ready`.'),
  enable_metrics: z.boolean().default(true).describe('Serve `/metrics`.'),
  metrics_requires_auth: z.boolean().default(false).describe('Whether `/metrics` needs a valid key.'),
  ...limitFields,
  ...planFields,
  redis_url: z.string().default('').meta({
    secret: true,
    description:
      'Address of a Redis that counts the limits and stores the tokens of `POST /v2/login` for several machines: a server, a cluster (`redis-cluster://`) or sentinels (`redis-sentinel://`). Without it each machine has its own.',
  }),
  redis_prefix: z.string().max(64).default('rostergate-proxy:').describe('Prefix of the key names in Redis.'),
  rate_limit_on_store_failure: storeFailureField,
  ...corsFields,
  enable_compression: compressionField,
  body_bytes_max: bodyBytesMaxField,
  ...timeoutFields,
  ...processFields,
  ...reloadFields,
});

export type Settings = Readonly<z.output<typeof settingsSchema>>;

/** Returns the options of every connection to the upstream. */
export function connectionOptions(settings: Settings): NonNullable<UpstreamGroup['connections']> {
  return {
    connectTimeoutMs: settings.upstream_connect_timeout_ms,
    bodyTimeoutMs: settings.upstream_body_timeout_ms,
    // The gates of the accounts limit the requests; slow readers hold further connections.
    connectionsMax: 4_096,
  };
}

function milliseconds(max: number) {
  return z.int().min(1).max(max);
}

/** Returns the API's base address, which ends in `/v2`. Credentials belong in the keys file. */
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
