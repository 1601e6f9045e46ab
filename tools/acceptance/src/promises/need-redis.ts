// Its own package starts it the same way, and tools may look into any room.
import { type RedisServer, startRedis } from '../../../../packages/access/test/start-redis.ts';
import type { AtEnd } from '../at-end.ts';
import { NotRun } from './define-promise.ts';

/** Starts a Redis, gone at the end. @throws NotRun where the machine has none */
export async function needRedis(atEnd: AtEnd): Promise<RedisServer> {
  const redis = await startRedis().catch((error: Error) => {
    throw new NotRun(error.message);
  });
  atEnd(redis.close);
  return redis;
}
