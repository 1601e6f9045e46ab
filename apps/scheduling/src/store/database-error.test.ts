import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabaseError } from './database-error.ts';
import { createUnavailable } from './postgres-errors.ts';
import { openSqliteStore } from './sqlite-store.ts';

const postgres = { database_file: 'x.sqlite', database_url: 'postgres://ops:hush@db.example/staff' };

async function failToOpen(file: string): Promise<string | undefined> {
  const error = await openSqliteStore({ file }).catch((fault: unknown) => fault);
  return describeDatabaseError(error, { database_file: file, database_url: undefined });
}

it('explains what is wrong with a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = join(folder, 'text.sqlite');
  writeFileSync(text, 'This is no database, though it is long enough to have been read as one.'.repeat(20));
  expect(await failToOpen(text)).toBe(
    `${text}: This is not a SQLite database. Name another file with --database-file.`,
  );
  expect(await failToOpen(join(folder, 'none/x.sqlite'))).toContain('Its directory must exist');
  expect(await failToOpen(folder)).toContain('cannot be opened');
});

it('rejects a database of a later version', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.sqlite');
  const { store } = await openSqliteStore({ file });
  await store.close();
  const database = new DatabaseSync(file);
  database.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
  database.close();
  expect(await failToOpen(file)).toBe(
    `${file}: A later version of this program created it (migration 9999-later). Use that version.`,
  );
});

it('names the PostgreSQL server, and never its password', () => {
  const failure = Object.assign(new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED' })]), {});
  const message = describeDatabaseError(failure, postgres);
  expect(message).toBe(
    'PostgreSQL at db.example:5432/staff: The connection was refused. Start the database, or correct database_url.',
  );
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  expect(describeDatabaseError(wrong, postgres)).toContain('The user name or the password is wrong');
});

it.each([
  ['08P01', 'unsupported startup parameter: statement_timeout', 'ignore_startup_parameters'],
  ['42P05', 'prepared statement "s0" already exists', 'pool_mode = session'],
  ['26000', 'prepared statement "s0" does not exist', 'pool_mode = session'],
])('names the PgBouncer setting for %s', (code, message, remedy) => {
  const fault = new Error('The database could not be migrated.', {
    cause: Object.assign(new Error(message), { code }),
  });
  expect(describeDatabaseError(fault, postgres)).toContain(remedy);
});

it('reads the cause of a Problem', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 517 });
  const message = describeDatabaseError(new Error('503', { cause: busy }), {
    database_file: 'x',
    database_url: undefined,
  });
  expect(message).toBe('x: Another process has locked the database. Try again when it has finished.');
});

it('returns undefined for defects of the program', () => {
  expect(describeDatabaseError(new TypeError('x is not a function'), postgres)).toBeUndefined();
  expect(describeDatabaseError(new Error('x'), { database_file: 'x', database_url: undefined })).toBeUndefined();
});

it.each([
  [
    'ends the connection',
    createUnavailable(new Error('Connection terminated unexpectedly')),
    'The server ended the connection',
  ],
  ['gives no response', createUnavailable(), 'The database did not respond in time'],
  [
    'ends an idle transaction',
    createUnavailable(Object.assign(new Error('terminating connection'), { code: '25P03' })),
    'Run the command again',
  ],
])('names a database that %s during a command', (_what, error, expected) => {
  expect(describeDatabaseError(error, postgres)).toContain(
    `PostgreSQL at db.example:5432/staff: ${expected}`.slice(0, 30),
  );
  expect(describeDatabaseError(error, postgres)).toContain(expected);
});
