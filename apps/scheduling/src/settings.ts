import { z } from 'zod';

export const settingsPrefix = 'ROSTERGATE_SCHEDULING_';

/** Every setting, once: type, default, bounds and what it does. `ROSTERGATE_SCHEDULING_<FIELD>` in the environment. */
export const settingsSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on. `0.0.0.0` or `::` listens on all.'),
  port: z.int().min(0).max(65_535).default(8020).describe('Port to listen on. 0 takes any free one.'),
  database_file: z
    .string()
    .min(1)
    .default('scheduling.sqlite')
    .describe('Path of the SQLite database; it is made when missing. `:memory:` keeps nothing.'),
  database_url: z
    .string()
    .refine(isPostgresUrl, 'Write postgres://user:password@host:port/database.')
    .optional()
    .meta({ secret: true })
    .describe('URL of a PostgreSQL database, which is then used in place of a file. `DATABASE_URL` does as well.'),
  database_connections_max: z.int().min(2).max(1_000).default(10).describe('Most connections to PostgreSQL at a time.'),
  statement_timeout_ms: z
    .int()
    .min(100)
    .max(600_000)
    .default(5_000)
    .describe('Longest that the database may take for one statement. A query past it is answered with 400.'),
  accounts_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a JSON file of service accounts. At the start, each entry is applied that is new or has changed since it was last applied.',
    ),
  seed: z
    .enum(['none', 'demo'])
    .default('none')
    .describe('`demo` puts twelve made-up companies into the database, unless they are there.'),
  token_lifetime_s: z.int().min(1).max(86_400).default(3_600).describe('How long a bearer token of a login is good.'),
  body_bytes_max: z
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(10_485_760)
    .describe('Longest request body that is read, in bytes. A longer one is answered with 413.'),
  drain_ms: z
    .int()
    .min(1)
    .max(600_000)
    .default(5_000)
    .describe('How long requests in flight may take to end after SIGTERM or SIGINT.'),
  log_level: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least serious level that is logged.'),
});

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1;
}

export type Settings = Readonly<z.output<typeof settingsSchema>>;
