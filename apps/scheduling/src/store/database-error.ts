import { Problem } from '@rostergate/runtime/problem';
import type { Settings } from '../settings.ts';
import { LaterDatabaseError, MigrationError } from './migrate.ts';
import { isLostConnection } from './postgres-errors.ts';

type Where = Pick<Settings, 'database_file' | 'database_url'>;

/** What a fault of the database says to people: which database, and what to do; undefined for any other error. */
export function describeDatabaseError(error: unknown, where: Where): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof LaterDatabaseError) return `${nameOf(where)}: ${error.message}`;
  const told =
    where.database_url === undefined
      ? describeSqliteError(error, where.database_file)
      : describePostgresError(error, where.database_url);
  // What callers are told of is another error, with that of the database as its cause.
  const behind = told ?? describeDatabaseError(error.cause, where);
  return behind ?? (error instanceof MigrationError ? `${nameOf(where)}: ${error.message}` : undefined);
}

function nameOf({ database_url: url, database_file: file }: Where): string {
  return url === undefined ? file : `PostgreSQL at ${withoutPassword(url)}`;
}

function describeSqliteError(error: Error & { code?: unknown; errcode?: unknown }, file: string): string | undefined {
  if (error.code !== 'ERR_SQLITE_ERROR') return undefined;
  // The lowest byte is the kind, the rest the reason (sqlite.org/rescode.html).
  const kind = Number(error.errcode) & 0xff;
  return `${file}: ${sqliteRemedies[kind] ?? `The database cannot be used (${error.message}).`}`;
}

const sqliteRemedies: Readonly<Record<number, string>> = {
  5: 'Another process keeps the database locked; try again once it is done.',
  6: 'Another process keeps the database locked; try again once it is done.',
  8: 'This user may only read the database; grant the right to write, to its folder as well.',
  10: 'The disk failed; look into the log of the system before anything else.',
  11: 'The database is damaged; restore a backup.',
  13: 'The disk is full.',
  14: 'The database cannot be opened; its folder must be there, and this user must have the right to write there.',
  26: 'This is not a SQLite database; name another file with --database-file.',
};

type PostgresError = Error & { readonly code?: unknown; readonly errors?: readonly Error[] };

function describePostgresError(error: PostgresError, url: string): string | undefined {
  // Where a name has many addresses, each has failed for itself.
  const [first = error] = error.errors ?? [];
  const { code } = first as PostgresError;
  const known = typeof code === 'string' ? (postgresRemedies[code] ?? postgresRemedies[code.slice(0, 2)]) : undefined;
  // The driver gives a connection that is gone no code.
  const remedy = known ?? (isLostConnection(first) ? postgresRemedies['57'] : undefined) ?? remedyOf(first);
  return remedy === undefined ? undefined : `PostgreSQL at ${withoutPassword(url)}: ${remedy}`;
}

/** What callers are told without a cause: it has given no response at all. */
function remedyOf(error: Error): string | undefined {
  const isSilent = error instanceof Problem && error.code === 'unavailable' && error.cause === undefined;
  return isSilent ? postgresRemedies.ETIMEDOUT : undefined;
}

const postgresRemedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there; start it, or set database_url to where it is.',
  ENOTFOUND: 'No address is known for this host; set database_url to one that is.',
  EAI_AGAIN: 'No address is known for this host; set database_url to one that is.',
  ETIMEDOUT: 'It did not answer in time.',
  EHOSTUNREACH: 'There is no way to this host from here.',
  ECONNRESET: 'It cut the connection.',
  // What PgBouncer says unless it is told to pass over them, and what comes of it when it pools by transaction.
  '08P01':
    'It refused what a connection begins with; in PgBouncer, set ignore_startup_parameters = ' +
    'statement_timeout,lock_timeout,idle_in_transaction_session_timeout, and those timeouts for the role.',
  '42P05': 'Its connections change hands between transactions; have PgBouncer pool by session.',
  '26000': 'Its connections change hands between transactions; have PgBouncer pool by session.',
  '28P01': 'It does not take this user and password.',
  '28000': 'It does not let this user in from here.',
  '3D000': 'It has no database of this name; make it with createdb.',
  '42501': 'This user may not do that there; grant the right to create tables.',
  '25P03': 'It ended a transaction that stood still for too long; run the command again.',
  '53300': 'It has no connection left; lower database_connections_max, or let it have more.',
  '53': 'It lacks memory, disk or connections; look into its log.',
  '57P03': 'It is starting or shutting down; try again.',
  '57': 'It ended the connection; look into its log.',
  '55P03': 'Another process keeps a table locked; try again once it is done.',
};

function withoutPassword(text: string): string {
  try {
    const { hostname, port, pathname } = new URL(text);
    return `${hostname || 'localhost'}:${port || 5432}${pathname}`;
  } catch {
    return 'the address of database_url';
  }
}
