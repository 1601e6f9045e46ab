import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, loadSettings as load, takeSecrets } from '@rostergate/config';
import { bodyBytesMaxField, listenFields, processFields } from '@rostergate/config/server-fields';
import { z } from 'zod';
import { checkSimulationSettings, simulationFields } from './vendor/simulation-settings.ts';
import { createReceiverRules } from './webhooks/receiver-rules.ts';

export const settingsPrefix = 'ROSTERGATE_SCHEDULING_';

/** Every setting: type, default, bounds and description. `ROSTERGATE_SCHEDULING_<FIELD>` in the environment. */
export const settingsSchema = z.strictObject({
  ...listenFields(8020),
  database_file: z
    .string()
    .min(1)
    .default('scheduling.sqlite')
    .describe('Path of the SQLite database, which is created when missing. `:memory:` stores nothing.'),
  database_url: z
    .string()
    .refine(isPostgresUrl, 'Write postgres://user:password@host:port/database.')
    .optional()
    .meta({ secret: true })
    .describe('URL of a PostgreSQL database, used instead of a file. The variable `DATABASE_URL` sets it too.'),
  database_connections_max: z.int().min(2).max(1_000).default(10).describe('Maximum of connections to PostgreSQL.'),
  statement_timeout_ms: z
    .int()
    .min(100)
    .max(600_000)
    .default(5_000)
    .describe('Maximum time of one database statement. A query that takes longer is rejected with 400.'),
  accounts_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a JSON file of service accounts. At startup, entries that are new or have changed since they were last applied are applied.',
    ),
  seed: z
    .enum(['none', 'demo'])
    .default('none')
    .describe('`demo` adds twelve invented companies to the database, unless they exist.'),
  form: z
    .enum(['contract', 'vendor'])
    .default('contract')
    .describe(
      'API form of the paths below `/v2`: the contract, or the vendor’s form, for tests of programs that call the vendor.',
    ),
  ...simulationFields,
  webhook_secret: z
    .string()
    .min(24)
    .optional()
    .meta({ secret: true })
    .describe(
      'Secret of at least 24 characters that the signing secrets of webhooks are derived from. Set it from the environment, with the same value for each server and command of a database.',
    ),
  webhook_private_receivers: z
    .array(z.string().min(1))
    .default([])
    .superRefine(checkReceivers)
    .describe(
      'Host names, IP addresses and networks (such as `10.0.0.0/8`) that webhooks may be sent to although they are not public. Listed loopback addresses may use http.',
    ),
  token_lifetime_s: z.int().min(1).max(86_400).default(3_600).describe('Lifetime of a bearer token.'),
  body_bytes_max: bodyBytesMaxField,
  ...processFields,
});

// Runs even after other faults, so that all are reported at once.
const checkedSchema = settingsSchema.superRefine(checkSimulationSettings, { when: () => true });

function checkReceivers(entries: readonly string[], context: z.RefinementCtx): void {
  try {
    createReceiverRules(entries);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as RangeError).message });
  }
}

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1;
}

export type Settings = Readonly<z.output<typeof settingsSchema>>;

export interface SettingsOptions {
  /** The environment of the process; secrets are removed from it. */
  readonly env: Record<string, string | undefined>;
  /** Values from the command line, by field. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Path from `--settings`: this file must exist. */
  readonly settingsFile?: string | undefined;
}

export const defaultSettingsFile = 'scheduling.json';

const prefixed = `${settingsPrefix}DATABASE_URL`;
/** The name that most database providers use. */
const plain = 'DATABASE_URL';

/**
 * Returns the settings. The command line has precedence over the environment, and the environment over the settings
 * file: the named one, or scheduling.json in the working directory. All paths are relative to the working directory.
 * @throws ConfigError with every fault
 */
export function loadSettings({ env, args, settingsFile }: SettingsOptions): Settings {
  const given = takeSecrets(env, [prefixed, plain, `${settingsPrefix}WEBHOOK_SECRET`]);
  const { database_file } = args;
  const settings = load({
    schema: checkedSchema,
    prefix: settingsPrefix,
    env: database_file === undefined ? withPlainUrl(given) : given,
    args,
    file: readSettingsFile(settingsFile),
  });
  // A database file on the command line has precedence over a URL in the environment or the settings file.
  return database_file === undefined ? settings : Object.freeze({ ...settings, database_url: undefined });
}

function withPlainUrl(env: Environment): Environment {
  return env[prefixed] || !env[plain] ? env : { ...env, [prefixed]: env[plain] };
}

function readSettingsFile(named: string | undefined): { readonly path: string; readonly text: string } | undefined {
  const path = named ?? defaultSettingsFile;
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (named === undefined && code === 'ENOENT') return undefined;
    const detail = `The settings file cannot be read (${code}). Name another file with --settings.`;
    throw new ConfigError([{ where: path, field: '', detail }]);
  }
}
