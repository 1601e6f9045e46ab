import { expect, test } from 'vitest';
import { makeProxyFolder, runProxyCommand } from '../../proxy-process.ts';
import { startStandInProxy, usualKeysFile, withKey } from '../stand-in-proxy.ts';

test('command serve: serves until SIGTERM and exits with 0', async () => {
  const proxy = await startStandInProxy();
  expect((await proxy.call('/v2/staffmember', withKey)).status).toBe(200);
  expect(await proxy.stop()).toBe(0);
  expect(proxy.log.at(-1)).toMatchObject({ msg: 'stopped', signal: 'SIGTERM' });
});

test('command serve: is the default command; an invalid setting is reported and exits with 1', async () => {
  const cwd = await makeProxyFolder({ keysFile: usualKeysFile, settings: { upstream_form: 'vendors' } });
  for (const args of [['serve'], []]) {
    const { exitCode, stderr } = await runProxyCommand(args, { cwd, env: { ROSTERGATE_PROXY_PORT: '0' } });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('upstream_form')]);
  }
});
