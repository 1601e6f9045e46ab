import pg from 'pg';

/** Ends statements that nobody waits for any more. */
export interface PostgresCanceller {
  /** Resolves once the database was told, or cannot be: the statement then ends by its own deadline. */
  cancel(processId: number): Promise<void>;
  end(): Promise<void>;
}

const tellMsMax = 1_000;

/** Over one connection of its own: all others may be taken by what is to be ended. It is made at the first use. */
export function createPostgresCanceller(url: string): PostgresCanceller {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: tellMsMax,
    query_timeout: tellMsMax,
    idleTimeoutMillis: 10_000,
    application_name: 'rostergate-scheduling-cancel',
  });
  // A connection that is lost takes the process along unless somebody listens.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async cancel(processId) {
      await pool.query('SELECT pg_cancel_backend($1)', [processId]).catch(() => {});
    },
    end: () => pool.end(),
  };
}
