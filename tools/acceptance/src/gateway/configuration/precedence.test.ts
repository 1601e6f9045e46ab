import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';

const limitOf = async (url: string) =>
  /;q=(\d+);/.exec((await fetch(`${url}/endpoints`)).headers.get('RateLimit-Policy') ?? '')?.[1];

test('the command line overrides the environment, which overrides the file, which overrides the default', async () => {
  const enabled = { rate_limit_enabled: true };
  const file = { ...enabled, rate_limit_per_minute: 11 };
  const env = { ROSTERGATE_RATE_LIMIT_PER_MINUTE: '12' };
  const args = ['--rate-limit-per-minute', '13'];
  expect(await limitOf((await startGateway({ settings: enabled })).url)).toBe('60');
  expect(await limitOf((await startGateway({ settings: file })).url)).toBe('11');
  expect(await limitOf((await startGateway({ settings: file, env })).url)).toBe('12');
  expect(await limitOf((await startGateway({ settings: file, env, args })).url)).toBe('13');
});
