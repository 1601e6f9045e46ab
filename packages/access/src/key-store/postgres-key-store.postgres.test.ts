import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { checkKeys } from '../../test/check-keys.ts';
import { describeKeyStore, describeSharedKeyStore } from './key-store.contract.ts';
import { openKeyStore } from './open-key-store.ts';

/** Creates a database of its own on the server of the run. */
async function start() {
  const url = new URL(process.env.TEST_POSTGRES_URL as string);
  const name = `keys_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  url.pathname = `/${name}`;
  const settings = { key_store_url: url.href, redis_prefix: '' };
  return { open: () => openKeyStore(settings, checkKeys), close: async () => {} };
}

describeKeyStore('PostgreSQL', start);
describeSharedKeyStore('PostgreSQL for several machines', start);
