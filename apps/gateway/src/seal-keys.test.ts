import { keyDigest } from '@rostergate/access/keys';
import { expect, it } from 'vitest';
import { sealEnvironment } from './seal-keys.ts';

it('removes secrets from the environment and returns digests of keys', async () => {
  const env: Record<string, string | undefined> = {
    PATH: '/bin',
    ROSTERGATE_PORT: '1',
    ROSTERGATE_API_KEYS: 'one,two',
    ROSTERGATE_REDIS_URL: 'redis://:hush@127.0.0.1',
  };
  const sealed = await sealEnvironment(env, '/nowhere/settings.json');
  expect(env).toEqual({ PATH: '/bin', ROSTERGATE_PORT: '1' });
  expect(sealed).toEqual({
    ...env,
    ROSTERGATE_API_KEYS: `sha256:${keyDigest('one')},sha256:${keyDigest('two')}`,
    ROSTERGATE_REDIS_URL: 'redis://:hush@127.0.0.1',
  });
});

it('does not change the path of a key file', async () => {
  const sealed = await sealEnvironment({ ROSTERGATE_API_KEYS: './keys.txt' }, '/nowhere/settings.json');
  expect(sealed).toEqual({ ROSTERGATE_API_KEYS: './keys.txt' });
});
