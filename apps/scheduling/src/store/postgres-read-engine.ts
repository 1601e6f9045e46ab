import type { PostgresConnections } from './postgres-pool.ts';
import type { ReadEngine } from './read-engine.ts';
import type { Sql } from './sql-flavour.ts';

/** Reads straight from the connections: a statement ends in the database when nobody waits for it any more. */
export function createPostgresReadEngine(connections: PostgresConnections): ReadEngine {
  return {
    async select<R>({ text, parameters }: Sql, signal?: AbortSignal) {
      signal?.throwIfAborted();
      const client = await connections.connect();
      let cancelled: Promise<void> | undefined;
      const cancel = () => {
        cancelled = client.cancel();
      };
      try {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', cancel);
        const { rows } = await client.query<R>(text, parameters);
        return rows;
      } finally {
        signal?.removeEventListener('abort', cancel);
        // Whoever has the connection next is not to be cancelled in its place.
        await cancelled;
        client.release();
      }
    },
  };
}
