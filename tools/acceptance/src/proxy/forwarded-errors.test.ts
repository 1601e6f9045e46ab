import { expect, test } from 'vitest';
import { json } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { requests } from '../staff/requests.ts';
import { keys, shareStandInProxy } from './stand-in-proxy.ts';

const proxies = shareStandInProxy();
const failure = json(500, { detail: 'It failed.' });

test.each([404, 409, 412, 413, 501])('each operation passes a %i of the upstream on', async (status) => {
  const { upstream, callWith } = await proxies.serve({ upstream_retries: 0 });
  upstream.otherwise = json(status, { detail: 'inner-secret' });
  for (const { operationId, method, path, json: body } of requests) {
    const response = await callWith(keys.admin, path, { method, json: body });
    expect([operationId, response.status]).toEqual([operationId, status]);
    expect(response.text).not.toContain('inner-secret');
  }
  expect(upstream.seen).toHaveLength(requests.length);
});

test('each operation responds 502 when the upstream fails', async () => {
  const { upstream, callWith } = await proxies.serve({ upstream_retries: 0 });
  for (const { operationId, method, path, json: body } of requests) {
    upstream.answers.push(failure);
    const response = await callWith(keys.admin, path, { method, json: body });
    expect([operationId, response.status, response.body.code]).toEqual([operationId, 502, 'upstream_failed']);
    // One success for each failure: otherwise the circuit opens, which is 503.
    expect((await callWith(keys.admin, '/v2/staffmember')).status).toBe(200);
  }
});

test('each operation responds 504 when the upstream does not respond by the deadline', async () => {
  // Longer than a busy machine delays the successes.
  const settings = { upstream_retries: 0, upstream_timeout_ms: 5_000 };
  const { upstream, callWith } = await proxies.serve(settings);
  const success = upstream.otherwise;
  // Less than half of the last 20 requests: otherwise the circuit opens, which is 503.
  for (const some of [requests.slice(0, 9), requests.slice(9)]) {
    upstream.otherwise = success;
    for (let i = 0; i < 20; i++) expect((await callWith(keys.admin, '/v2/staffmember')).status).toBe(200);
    upstream.otherwise = () => {};
    const responses = await Promise.all(
      some.map(({ method, path, json: body }) => callWith(keys.admin, path, { method, json: body })),
    );
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(some.map(() => [504, 'upstream_timeout']));
  }
});
