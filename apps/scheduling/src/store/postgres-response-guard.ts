import pg from 'pg';
import { createUnavailable } from './postgres-errors.ts';

/** Timeout of a test connection, and the pause between two. */
const probeMs = 1_000;
const pauseMs = 200;

/** Tracks whether the database responds. While it does not, requests are rejected at once. */
export interface ResponseGuard {
  /** Called when the database has not even enforced its own deadline. */
  reportNoResponse(): void;
  /** Runs `connect`; rejects with 503 while the database is unresponsive, and as soon as it becomes so. */
  guard<T>(connect: () => Promise<T>, release: (connection: T) => void): Promise<T>;
  end(): void;
}

/**
 * A stopped or unreachable database accepts connections and statements without a response. After one statement has
 * missed its deadline, requests are rejected at once instead of each waiting as long; a separate connection detects
 * when the database responds again.
 */
export function createResponseGuard(url: string): ResponseGuard {
  const waiting = new Set<(error: Error) => void>();
  let isUnresponsive = false;
  let isEnded = false;
  let pause: NodeJS.Timeout | undefined;

  async function probe(): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs, query_timeout: probeMs });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      isUnresponsive = false;
    } catch {
      if (!isEnded) pause = setTimeout(() => void probe(), pauseMs).unref();
    } finally {
      client.end().catch(() => {});
    }
  }

  return {
    reportNoResponse() {
      if (isUnresponsive || isEnded) return;
      isUnresponsive = true;
      for (const reject of waiting) reject(createUnavailable());
      waiting.clear();
      void probe();
    },
    guard<T>(connect: () => Promise<T>, release: (connection: T) => void): Promise<T> {
      if (isUnresponsive) return Promise.reject(createUnavailable());
      return new Promise<T>((resolve, reject) => {
        waiting.add(reject);
        connect().then(
          (connection) => (waiting.delete(reject) ? resolve(connection) : release(connection)),
          (error) => {
            waiting.delete(reject);
            reject(error);
          },
        );
      });
    },
    end() {
      isEnded = true;
      clearTimeout(pause);
    },
  };
}
