import { httpMethods } from '@rostergate/server';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, test } from 'vitest';
import { createServedDocument } from './operations.ts';
import { settingsSchema } from './settings.ts';

const served = (settings: Record<string, unknown>) =>
  createServedDocument(proxyDocument, settingsSchema.parse(settings));
const pathsLost = (settings: Record<string, unknown>) => {
  const { paths } = served(settings);
  return Object.keys(proxyDocument.paths).filter((path) => paths[path] === undefined);
};

describe('an operation that is turned off', () => {
  test.each([
    [{}, []],
    [{ enable_health: false }, ['/health', '/health/live', '/health/ready']],
    [{ enable_metrics: false }, ['/metrics']],
    [{ enable_landing_page: false }, ['/', '/roster/{asset}']],
    [{ enable_docs: false }, ['/docs', '/docs/{asset}']],
    [{ enable_redoc: false }, ['/redoc', '/redoc/{asset}']],
    [{ enable_openapi: false }, ['/openapi.json', '/docs', '/docs/{asset}', '/redoc', '/redoc/{asset}']],
  ])('by %j is not in the contract that is served', (settings, paths) => {
    expect(pathsLost(settings).sort()).toEqual([...paths].sort());
  });

  test('is never about people', () => {
    const off = Object.keys(settingsSchema.shape).filter((name) => name.startsWith('enable_'));
    const { paths } = served(Object.fromEntries(off.map((name) => [name, false])));
    const left = Object.values(paths).flatMap((item) => httpMethods.flatMap((m) => item[m]?.operationId ?? []));
    expect(left).toHaveLength(19);
  });
});

test('metrics_requires_auth requires a key for the metrics, also in the contract', () => {
  const operation = served({ metrics_requires_auth: true }).paths['/metrics']?.get;
  expect(operation?.security).toEqual(proxyDocument.paths['/staffmember']?.get?.security);
  expect(operation?.responses).toHaveProperty('401');
  expect(served({}).paths['/metrics']?.get?.security).toEqual([]);
});
