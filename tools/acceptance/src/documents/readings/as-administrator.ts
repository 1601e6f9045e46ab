import { onTestFinished } from 'vitest';
import { findPostgres } from '../../../../workspace/start-postgres.ts';
import { runSql } from '../../database.ts';

/**
 * Returns the variables by which the programs of PostgreSQL reach the server of this run. The database and the role of
 * a page are dropped with the test.
 */
export function asAdministrator({ database, role }: { readonly database: string; readonly role: string }) {
  const server = process.env.TEST_POSTGRES_URL ?? '';
  const { host, hostname, port, username, password } = new URL(server);
  onTestFinished(async () => {
    await runSql(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await runSql(server, `DROP ROLE IF EXISTS ${role}`);
  });
  return {
    address: host,
    env: {
      PATH: `${process.env.PATH}:${findPostgres()}`,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: 'postgres',
    },
  };
}
