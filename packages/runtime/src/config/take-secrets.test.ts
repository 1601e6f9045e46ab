import { expect, it } from 'vitest';
import { takeSecrets } from './take-secrets.ts';

it('takes secrets out of the process, and keeps them for whoever reads the settings', () => {
  const env: Record<string, string | undefined> = { PATH: '/bin', X_URL: 'hush' };
  expect(takeSecrets(env, ['X_URL', 'Y_URL'])).toEqual({ PATH: '/bin', X_URL: 'hush' });
  expect(env).toEqual({ PATH: '/bin' });
});
