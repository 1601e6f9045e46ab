import { describe, expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';

describe.each(serverNames)('%s', (server) => {
  test.each([
    ['/health', 'healthy'],
    ['/health/live', 'alive'],
    ['/health/ready', 'ready'],
  ])('%s responds %s without a key', async (path, status) => {
    const response = await call(server, path);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(Math.abs(Date.parse(response.body.timestamp) - Date.now())).toBeLessThan(60_000);
  });

  test('readiness names the dependencies of the server', async () => {
    const { dependencies, uptime_seconds } = (await call(server, '/health/ready')).body;
    expect(Object.keys(dependencies)).not.toEqual([]);
    expect(uptime_seconds).toBeGreaterThan(0);
  });
});
