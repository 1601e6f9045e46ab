import { type RedisOptions, type RedisServer, startRedis } from '../../../../packages/access/test/start-redis.ts';
import { findPostgres, startPostgres } from '../../../workspace/start-postgres.ts';
import type { AtEnd } from '../at-end.ts';
import { NotRun } from './define-promise.ts';

/** Starts a Redis for the trial. @throws NotRun where Redis is not installed */
export async function needRedis(atEnd: AtEnd, options: RedisOptions = {}): Promise<RedisServer> {
  const redis = await startRedis(options).catch((error: Error) => {
    throw new NotRun(error.message);
  });
  atEnd(redis.close);
  return redis;
}

/** Starts a PostgreSQL for the trial. @throws NotRun where PostgreSQL is not installed */
export async function needPostgres(atEnd: AtEnd): ReturnType<typeof startPostgres> {
  if (findPostgres() === undefined) throw new NotRun('PostgreSQL is not installed: apt-get install postgresql.');
  const postgres = await startPostgres();
  atEnd(postgres.close);
  return postgres;
}
