import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** Statements kept ready per connection; past this the oldest goes. Callers' filters make new texts without end. */
const STATEMENTS_MAX = 500;

/**
 * Kysely over one node:sqlite connection. Preparing a statement and asking for its columns costs more than most reads,
 * so both are kept by the text of the query.
 */
export function createNodeSqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(database),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

function createDriver(database: DatabaseSync): Driver {
  const connection = createConnection(database);
  const run = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // Taking the write lock at once: a read that later turns into a write could not wait for another process.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function createConnection(database: DatabaseSync): DatabaseConnection {
  const statements = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (statements.size >= STATEMENTS_MAX) {
      for (const oldest of statements.keys()) {
        statements.delete(oldest);
        break;
      }
    }
    statements.set(sql, prepared);
    return prepared;
  }

  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { statement, returnsRows } = prepare(query.sql);
      const parameters = query.parameters as readonly SQLInputValue[];
      if (returnsRows) return { rows: statement.all(...parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    // biome-ignore lint/correctness/useYield: large reads are taken in slices instead, so that no cursor stays open.
    async *streamQuery() {
      throw new Error('Read in slices: a cursor would hold the connection between turns of the event loop.');
    },
  };
}
