import { describe, expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';

describe.each(serverNames)('%s', (server) => {
  test.each(['/nowhere', '/health/', '/Health', '//health', '/v2', '/docs/a/b'])('%s is 404', async (path) => {
    const { status, body } = await call(server, path, { headers: { Accept: 'text/html' } });
    expect([status, body.code, body.kind]).toEqual([404, 'route_not_found', 'NotFoundError']);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s /health is 405 with the allowed methods', async (method) => {
    const { status, headers, body } = await call(server, '/health', { method });
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(allowOf(headers)).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  test('OPTIONS returns the allowed methods', async () => {
    const { status, headers } = await call(server, '/health', { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(allowOf(headers)).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  test.each(['/health', '/openapi.json', '/docs'])('HEAD %s has the headers of GET and no body', async (path) => {
    const [head, get] = [await call(server, path, { method: 'HEAD' }), await call(server, path)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'));
  });

  test('an undeclared query parameter is 400 and named in the errors', async () => {
    const { status, body } = await call(server, '/health?verbose=1');
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([expect.objectContaining({ parameter: 'verbose' })]);
  });

  test('keeps a valid request id and replaces an invalid one', async () => {
    const given = await call(server, '/health', { headers: { 'X-Request-Id': 'order-4711' } });
    expect(given.headers.get('X-Request-Id')).toBe('order-4711');
    const replaced = await call(server, '/health', { headers: { 'X-Request-Id': '<script>'.repeat(40) } });
    expect(replaced.headers.get('X-Request-Id')).toMatch(/^[\w.-]{1,64}$/);
  });
});

function allowOf(headers: Headers): string[] {
  return (headers.get('Allow') ?? '').split(', ').sort();
}
