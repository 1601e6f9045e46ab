import { describe, expect, it } from 'vitest';
import { createHealthHandlers, type HealthOptions } from './health.ts';

function start(dependencies: HealthOptions['dependencies'] = {}) {
  const time = { ms: 1_700_000_001_500 };
  const handlers = createHealthHandlers({
    version: '1.2.3',
    clock: () => time.ms,
    startedMs: 1_700_000_000_000,
    dependencies,
    dependencyTimeoutMs: 5,
  });
  return { handlers, time };
}

const ready = () => ({ status: 'ready' as const });
const report = { timestamp: '2023-11-14T22:13:21.500Z', version: '1.2.3' };

describe('getHealth and getLiveness', () => {
  it('return 200 in any state of the dependencies, even while draining', () => {
    const { handlers } = start({
      database: () => {
        throw new Error('down');
      },
    });
    handlers.beginDrain();
    expect(handlers.getHealth()).toEqual({ status: 200, body: { status: 'healthy', ...report } });
    expect(handlers.getLiveness()).toEqual({ status: 200, body: { status: 'alive', ...report } });
  });
});

describe('getReadiness', () => {
  it('is ready when every dependency is, and includes the details of each', async () => {
    const { handlers } = start({ services: () => ({ status: 'ready', count: 2 }), database: async () => ready() });
    expect(await handlers.getReadiness()).toEqual({
      status: 200,
      body: {
        status: 'ready',
        ...report,
        uptime_seconds: 1.5,
        dependencies: { services: { status: 'ready', count: 2 }, database: { status: 'ready' } },
      },
    });
  });

  it('is degraded, with 200, when a dependency is degraded', async () => {
    const { handlers } = start({ database: ready, redis: () => ({ status: 'degraded' }) });
    expect(await handlers.getReadiness()).toMatchObject({ status: 200, body: { status: 'degraded' } });
  });

  it.each([
    ['reports unavailable', () => ({ status: 'unavailable' as const })],
    ['throws', () => Promise.reject(new Error('postgres://user:secret@db'))],
    ['never responds', () => new Promise<never>(() => {})],
  ])('is 503 with the name of a dependency that %s', async (_case, database) => {
    const { handlers } = start({ database, redis: () => ({ status: 'degraded' }) });
    const { status, body } = await handlers.getReadiness();
    expect([status, body.status, body.dependencies.database?.status]).toEqual([503, 'unavailable', 'unavailable']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('is 503 once the server drains', async () => {
    const { handlers } = start({ database: ready });
    handlers.beginDrain();
    const { status, body } = await handlers.getReadiness();
    expect([status, body.status, body.dependencies.shutdown?.status]).toEqual([503, 'unavailable', 'unavailable']);
  });
});
