import { z } from 'zod';

// The settings that every server has, with one description each. The gateway has them from its contract.

/** Returns the settings for the address that a server listens on. */
export function listenFields(port: number) {
  return {
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('Address to listen on. `0.0.0.0` or `::` listens on all addresses.'),
    port: z.int().min(0).max(65_535).default(port).describe('Port to listen on. 0 selects a free port.'),
  };
}

/** The settings of a server that the internet reaches: proxies in front of it, and TLS. */
export const frontFields = {
  trusted_proxies: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'IP addresses and networks (such as `10.0.0.0/8`) of trusted reverse proxies. Forwarded headers from all other addresses are ignored.',
    ),
  tls_certificate_file: z
    .string()
    .default('')
    .describe('Path of the certificate chain (PEM) for HTTPS. A renewed file is loaded without a restart.'),
  tls_key_file: z.string().default('').describe('Path of the private key (PEM) of the certificate.'),
};

/** The settings for the documentation. */
export const pageFields = {
  enable_docs: z.boolean().default(true).describe('Serve Swagger UI at `/docs`.'),
  enable_redoc: z.boolean().default(true).describe('Serve ReDoc at `/redoc`.'),
  enable_openapi: z
    .boolean()
    .default(true)
    .describe('Serve the contract at `/openapi.json`. When this is false, `/docs` and `/redoc` are off as well.'),
};

/** The settings of the limits. */
export const limitFields = {
  rate_limit_enabled: z
    .boolean()
    .default(true)
    .describe('Count requests and reject those over the limit. `false` also removes the limit headers.'),
  rate_limit_per_minute: perMinute()
    .default(60)
    .describe('Maximum requests in any 60 seconds per address without a key.'),
  rate_limit_per_minute_authenticated: perMinute()
    .default(300)
    .describe('Maximum requests in any 60 seconds per owner of a valid key.'),
};

/** The settings of named sets of limits. */
export const planFields = {
  plans: z
    .record(z.string(), planSchema())
    .default({})
    .describe(
      'Named sets of limits. A key with a `plan` has its limits instead of `rate_limit_per_minute_authenticated`, over all keys of its owner.',
    ),
  default_plan: z
    .string()
    .max(64)
    .default('')
    .describe('The plan of keys and tokens without one. Empty for `rate_limit_per_minute_authenticated`.'),
  anonymous_plan: z
    .string()
    .max(64)
    .default('')
    .describe('The plan of each address without a key. Empty for `rate_limit_per_minute`.'),
};

export const storeFailureField = z
  .enum(['local', 'open', 'closed'])
  .default('local')
  .describe(
    'Behaviour while Redis is unreachable: count in this process (`local`), allow every request (`open`), or reject every request with 503 (`closed`).',
  );

/** The settings for browsers of other origins. */
export const corsFields = {
  cors_origins: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Origins that may call this server from a browser, such as `https://app.example`, or `*` for any origin.',
    ),
  cors_credentials: z
    .boolean()
    .default(false)
    .describe('Whether these origins may send cookies and other browser credentials. Not allowed with `*`.'),
  cors_max_age_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(600)
    .describe('Time that a browser may cache the response to a preflight, in seconds.'),
};

export const compressionField = z
  .boolean()
  .default(true)
  .describe('Compress responses above 1 KiB with br or gzip for clients that accept it.');

export const bodyBytesMaxField = z
  .int()
  .min(0)
  .max(1_073_741_824)
  .default(10_485_760)
  .describe('Maximum size of a request body, in bytes. A larger body is rejected with 413.');

/** The settings for slow and idle clients. */
export const timeoutFields = {
  headers_timeout_ms: z
    .int()
    .min(100)
    .max(600_000)
    .default(10_000)
    .describe('Maximum time to receive the request headers, in milliseconds.'),
  request_timeout_ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe('Maximum time to receive a whole request, in milliseconds. 0 means no limit.'),
  keep_alive_timeout_ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(65_000)
    .describe('Time until an idle connection is closed, in milliseconds.'),
};

/** The settings of every server's process. */
export const processFields = {
  drain_ms: z
    .int()
    .min(1)
    .max(600_000)
    .default(5_000)
    .describe('Maximum time for requests in flight to complete after SIGTERM or SIGINT, in milliseconds.'),
  log_level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level that is logged.'),
};

/** The settings of a server that samples its log and reloads its configuration. */
export const reloadFields = {
  log_sample_every: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Log one of every N requests with a status below 400. Errors are always logged.'),
  reload_enabled: z
    .boolean()
    .default(true)
    .describe('Reload the configuration files when they change. SIGHUP reloads them in any case.'),
};

function perMinute() {
  return z.int().min(1).max(1_000_000);
}

function planSchema() {
  const requests = z.int().min(1).max(1_000_000_000);
  const limit = z.strictObject({
    requests: requests.describe(
      'Maximum requests. Up to 10,000, each request leaves exactly when its interval has passed; above that, up to a thousandth of the interval later.',
    ),
    per: z.enum(['second', 'minute', 'hour', 'day']).describe('Length of the interval. A day is any 24 hours.'),
  });
  const quota = z.strictObject({
    requests: requests.describe('Maximum requests.'),
    per: z.enum(['day', 'month']).describe('Period of the calendar.'),
  });
  return z
    .strictObject({
      limits: z
        .array(limit)
        .max(4)
        .optional()
        .describe('Limits that slide, each in any interval of its length. At most one for each length.'),
      quota: quota.optional().describe('A limit for each day or month of the calendar. Periods begin at 00:00 UTC.'),
    })
    .describe('A named set of limits. A request must pass all of them, and counts in all or none.');
}
