import { describe, expect, test } from 'vitest';
import { companyKey } from '../staff/callers.ts';
import { requests } from '../staff/requests.ts';
import { entryOf, keyOf, useRecordedProxy } from './recorded-proxy.ts';

const proxy = useRecordedProxy({
  keys: [
    entryOf('ops'),
    entryOf('over', { expires_at: '2026-01-01T00:00:00Z' }),
    entryOf('back', { revoked_at: '2026-01-01T00:00:00Z' }),
  ],
});

describe.each([
  ['without a key', {}, 'key_missing'],
  ['with an invented key', { 'X-API-Key': 'staff_live_invented_00000000' }, 'key_invalid'],
  ['with an invented token', { Authorization: 'bearer invented' }, 'key_invalid'],
  ['with a key that has ended', { 'X-API-Key': keyOf('over') }, 'key_expired'],
  ['with a key that was taken back', { Authorization: `Bearer ${keyOf('back')}` }, 'key_revoked'],
  ['with two keys', { 'X-API-Key': keyOf('ops'), Authorization: `Bearer ${keyOf('ops')}` }, 'key_repeated'],
])('%s', (_case, headers: Record<string, string>, code) => {
  test.each(requests)(
    '$operationId 401: is returned without a request to the upstream',
    async ({ method, path, json }) => {
      const { upstream, call } = proxy();
      const response = await call(path, { method, json, headers });
      expect([response.status, response.body.code, response.body.kind]).toEqual([401, code, 'AuthenticationError']);
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
      expect(response.text).not.toMatch(/invented|acceptance-key/);
      expect([upstream.logins, upstream.arrived]).toEqual([[], []]);
    },
  );
});

test.each(requests)(
  '$operationId 401: is returned before checks of the body, the company and the media types',
  async ({ method, path, json }) => {
    const headers = { Accept: 'image/png' };
    const { status } = await proxy().call(`${path}?companyKey=${companyKey}&nothing=1`, {
      method,
      headers,
      ...(json === undefined ? {} : { json: [] }),
    });
    expect(status).toBe(401);
  },
);
