import { checkKeys } from '../../test/check-keys.ts';
import { startRedis } from '../../test/start-redis.ts';
import { describeKeyStore, describeSharedKeyStore } from './key-store.contract.ts';
import { openKeyStore } from './open-key-store.ts';

async function start() {
  const { url, close } = await startRedis();
  const settings = { key_store_url: url, redis_prefix: 'test:' };
  return { open: () => openKeyStore(settings, checkKeys), close };
}

describeKeyStore('Redis', start);
describeSharedKeyStore('Redis for several machines', start);
