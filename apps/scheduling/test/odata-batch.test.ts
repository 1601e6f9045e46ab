import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  // Less than a person has.
  app = await startApp({ body_bytes_max: 700 });
});
afterAll(() => app.stop());

const batch = (requests: object[], headers = {}) =>
  app.asAdmin('/v2/$batch', { json: { requests: requests.map((one, n) => ({ id: `${n}`, ...one })) }, headers });

it('has no body of a response that is too large: a read is rejected, a write is made', async () => {
  const { status, body } = await batch([
    { method: 'get', url: 'StaffMembers' },
    { method: 'post', url: 'staffmember', body: { StaffId: 'N-batch' } },
    { method: 'get', url: '$1?$select=StaffId', dependsOn: ['1'] },
  ]);
  expect(status).toBe(200);
  const [large, made, small] = body.responses;
  expect([large.status, large.body.error.code]).toEqual([400, 'batch_too_large']);
  expect([made.status, made.body, made.headers.location]).toEqual([
    ...[201, undefined, expect.stringMatching(/^\/v2\/staffmember\/./)],
  ]);
  expect([small.status, small.body]).toEqual([200, { StaffId: 'N-batch' }]);
});

it('accepts URLs with the address that the client used', async () => {
  const { body: service } = await app.call('/v2/');
  const url = service['@odata.context'].replace('$metadata', 'StaffMembers/$count');
  const secure = [{ method: 'get', url: url.replace('http:', 'https:') }];
  for (const [requests, headers] of [
    [[{ method: 'get', url }], {}],
    [secure, { 'X-Forwarded-Proto': 'https' }],
  ] as const) {
    const { body } = await batch([...requests], headers);
    expect(body.responses).toMatchObject([{ status: 200, body: expect.stringMatching(/^\d+$/) }]);
  }
  expect((await batch(secure)).status).toBe(400);
});

it('lets other requests run between its own', async () => {
  const { asAdmin, stop } = await startApp();
  onTestFinished(stop);
  /** Returns the longest time without a turn of the event loop, as a part of the time of a batch. */
  const longestTurn = async (round: number) => {
    const requests = Array.from({ length: 100 }, (_, n) => ({
      ...{ id: `${n}`, method: 'post', url: 'staffmember', body: { StaffId: `N-${round}-${n}` } },
    }));
    let isOver = false;
    const sent = asAdmin('/v2/$batch', { json: { requests } }).finally(() => {
      isOver = true;
    });
    const startedMs = performance.now();
    let [longestMs, lastMs] = [0, startedMs];
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      const nowMs = performance.now();
      [longestMs, lastMs] = [Math.max(longestMs, nowMs - lastMs), nowMs];
    }
    expect((await sent).status).toBe(200);
    return longestMs / (lastMs - startedMs);
  };
  let least = 1;
  // Another program can only lengthen a turn.
  for (let round = 0; round < 5 && least > 0.4; round++) least = Math.min(least, await longestTurn(round));
  expect(least).toBeLessThanOrEqual(0.4);
});

it('changes nothing by a number beyond the range of doubles, which would be null', async () => {
  const text = '{"requests":[{"id":"1","method":"post","url":"staffmember","body":{"StaffId":"N-inf","Fte":1e400}}]}';
  const { status, body } = await app.asAdmin('/v2/$batch', {
    ...{ method: 'POST', body: text, headers: { 'Content-Type': 'application/json' } },
  });
  expect([status, body.error.details[0].target]).toEqual([400, '/requests/0/body']);
});

it('logs each request', async () => {
  const { body } = await batch([{ method: 'get', url: "StaffMembers('unknown')" }]);
  const { 'x-request-id': id } = body.responses[0].headers;
  expect(
    app
      .logText()
      .split('\n')
      .find((line) => line.includes(id)),
  ).toMatch(/"status":404/);
});
