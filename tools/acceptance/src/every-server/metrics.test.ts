import { describe, expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';

describe.each(serverNames)('%s', (server) => {
  test('returns metrics in the Prometheus format by default', async () => {
    const response = await call(server, '/metrics', { headers: { Accept: 'text/plain' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(response.text).toMatch(/^# TYPE http_request_duration_seconds histogram$/m);
  });

  test('returns metrics as JSON on request, counted by route', async () => {
    await call(server, '/health/live');
    const { status, body } = await call(server, '/metrics', { headers: { Accept: 'application/json' } });
    expect(status).toBe(200);
    expect(body.endpoints['GET /health/live'].count).toBeGreaterThan(0);
    expect(body.endpoints['GET /health/live'].status_codes['200']).toBeGreaterThan(0);
  });

  test('labels routes by template, so that clients cannot create series', async () => {
    await call(server, '/docs/swagger-ui.css');
    await call(server, '/nowhere/else/at/all');
    const text = (await call(server, '/metrics', { headers: { Accept: 'text/plain' } })).text;
    expect(text).toContain('route="/docs/{asset}"');
    expect(text).not.toContain('nowhere');
  });

  test.each(['text/plain; version=0.0.4', 'text/plain;version=0.0.4;charset=utf-8;q=0.5, image/png', 'text/*'])(
    'returns them for the accepted type %s',
    async (form) => {
      const { status, headers } = await call(server, '/metrics', { headers: { Accept: form } });
      expect([status, headers.get('Content-Type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    },
  );

  test('responds 406 when no format of the metrics is acceptable', async () => {
    const { status, body } = await call(server, '/metrics', { headers: { Accept: 'image/png' } });
    expect([status, body.code]).toEqual([406, 'not_acceptable']);
  });
});
