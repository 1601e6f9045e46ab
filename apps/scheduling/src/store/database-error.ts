import { Problem } from '@rostergate/server/problem';
import type { Settings } from '../settings.ts';
import { LaterDatabaseError, MigrationError } from './migrate.ts';
import { sqliteErrorKind } from './node-sqlite-dialect.ts';
import { isLostConnection } from './postgres-errors.ts';

type Where = Pick<Settings, 'database_file' | 'database_url'>;

/** Returns a message that names the database, the fault and the remedy; undefined for any other error. */
export function describeDatabaseError(error: unknown, where: Where): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof LaterDatabaseError) return `${nameOf(where)}: ${error.message}`;
  // A Problem for clients has the error of the database as its cause.
  const message =
    where.database_url === undefined
      ? describeSqliteError(error, where.database_file)
      : describePostgresError(error, where.database_url);
  return (
    message ??
    describeDatabaseError(error.cause, where) ??
    (error instanceof MigrationError ? `${nameOf(where)}: ${error.message}` : undefined)
  );
}

function nameOf({ database_url: url, database_file: file }: Where): string {
  return url === undefined ? file : `PostgreSQL at ${withoutPassword(url)}`;
}

function describeSqliteError(error: Error & { code?: unknown }, file: string): string | undefined {
  if (error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return `${file}: ${sqliteRemedies[sqliteErrorKind(error)] ?? `The database cannot be used (${error.message}).`}`;
}

const sqliteRemedies: Readonly<Record<number, string>> = {
  5: 'Another process has locked the database. Try again when it has finished.',
  6: 'Another process has locked the database. Try again when it has finished.',
  8: 'This user may only read the database. Grant write permission for the file and its directory.',
  10: 'The disk failed. Check the system log first.',
  11: 'The database is damaged. Restore a backup.',
  13: 'The disk is full.',
  14: 'The database cannot be opened. Its directory must exist, and this user needs write permission for it.',
  26: 'This is not a SQLite database. Name another file with --database-file.',
};

type PostgresError = Error & { readonly code?: unknown; readonly errors?: readonly Error[] };

function describePostgresError(error: PostgresError, url: string): string | undefined {
  // A host name with several addresses has one error per address.
  const [first = error] = error.errors ?? [];
  const { code } = first as PostgresError;
  const known = typeof code === 'string' ? (postgresRemedies[code] ?? postgresRemedies[code.slice(0, 2)]) : undefined;
  // The driver gives a lost connection no code.
  const remedy = known ?? (isLostConnection(first) ? postgresRemedies['57'] : undefined) ?? remedyOf(first);
  return remedy === undefined ? undefined : `PostgreSQL at ${withoutPassword(url)}: ${remedy}`;
}

/** An unavailable Problem without a cause means that the database sent no response. */
function remedyOf(error: Error): string | undefined {
  const isSilent = error instanceof Problem && error.code === 'unavailable' && error.cause === undefined;
  return isSilent ? postgresRemedies.ETIMEDOUT : undefined;
}

const postgresRemedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused. Start the database, or correct database_url.',
  ENOTFOUND: 'The host name cannot be resolved. Correct database_url.',
  EAI_AGAIN: 'The host name cannot be resolved. Correct database_url.',
  ETIMEDOUT: 'The database did not respond in time.',
  EHOSTUNREACH: 'The host cannot be reached from here.',
  ECONNRESET: 'The database closed the connection.',
  // PgBouncer's errors for startup parameters that it does not ignore, and for transaction pooling.
  '08P01':
    'The database rejected a startup parameter. In PgBouncer, set ignore_startup_parameters = ' +
    'statement_timeout,lock_timeout,idle_in_transaction_session_timeout, and those timeouts for the role.',
  '42P05': 'Connections are shared between transactions. Set pool_mode = session in PgBouncer.',
  '26000': 'Connections are shared between transactions. Set pool_mode = session in PgBouncer.',
  '28P01': 'The user name or the password is wrong.',
  '28000': 'The server does not allow this user to connect from here.',
  '3D000': 'There is no database of this name. Create it with createdb.',
  '42501': 'This user lacks a privilege. Grant the right to create tables.',
  '25P03': 'The server ended an idle transaction. Run the command again.',
  '53300': 'The server has no free connection. Lower database_connections_max, or raise max_connections of the server.',
  '53': 'The server lacks memory, disk space or connections. Check its log.',
  '57P03': 'The server is starting or shutting down. Try again.',
  '57': 'The server ended the connection. Check its log.',
  '55P03': 'Another process has locked a table. Try again when it has finished.',
};

function withoutPassword(text: string): string {
  try {
    const { hostname, port, pathname } = new URL(text);
    return `${hostname || 'localhost'}:${port || 5432}${pathname}`;
  } catch {
    return 'the address of database_url';
  }
}
