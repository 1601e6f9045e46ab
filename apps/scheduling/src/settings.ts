import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, loadSettings as load, takeSecrets } from '@rostergate/runtime/config';
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

export interface SettingsOptions {
  /** The environment of the process; what is secret in it is taken out. */
  readonly env: Record<string, string | undefined>;
  /** From the command line, by field. */
  readonly args: Readonly<Record<string, unknown>>;
  /** From `--settings`: the file must be there. */
  readonly settingsFile?: string | undefined;
}

export const defaultSettingsFile = 'scheduling.json';

const prefixed = `${settingsPrefix}DATABASE_URL`;
/** The name that most who offer a database give it. */
const plain = 'DATABASE_URL';

/**
 * The settings by the command line, else the environment, else the file: the one that is named, or scheduling.json when
 * it is in the working folder. Paths are relative to that folder wherever they stand.
 * @throws ConfigError with every fault
 */
export function loadSettings({ env, args, settingsFile }: SettingsOptions): Settings {
  const given = takeSecrets(env, [prefixed, plain]);
  const { database_file } = args;
  return load({
    schema: settingsSchema,
    prefix: settingsPrefix,
    env: database_file === undefined ? withPlainUrl(given) : withoutUrl(given),
    args,
    file: readSettingsFile(settingsFile),
  });
}

function withPlainUrl(env: Environment): Environment {
  return env[prefixed] || !env[plain] ? env : { ...env, [prefixed]: env[plain] };
}

/** Whoever names a file on the command line means it, and not what the environment says of another database. */
function withoutUrl(env: Environment): Environment {
  return { ...env, [prefixed]: undefined };
}

function readSettingsFile(named: string | undefined): { readonly path: string; readonly text: string } | undefined {
  const path = named ?? defaultSettingsFile;
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (named === undefined && code === 'ENOENT') return undefined;
    const detail = `The settings cannot be read from it (${code}): name the file with --settings.`;
    throw new ConfigError([{ where: path, field: '', detail }]);
  }
}
