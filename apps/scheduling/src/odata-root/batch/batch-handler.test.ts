import { CallController, type RawReply, type SendLocally } from '@rostergate/server';
import { expect, it } from 'vitest';
import { createBatchHandler } from './batch-handler.ts';

const requests = [1, 2].map((n) => ({ id: `${n}`, method: 'get', url: 'StaffMembers' }));

/** Handles a batch of two requests. */
async function handle(send: SendLocally, call = new CallController(), nowMs = 0): Promise<unknown> {
  const router = () => ({ operationAt: () => undefined });
  const handler = createBatchHandler({ send, router, clock: () => nowMs, bytesMax: 1_000 });
  const trace = { startCall: () => ({ headers: {}, end() {} }) };
  const context = {
    req: { headers: { authorization: 'Bearer t' }, socket: {} },
    requestId: 'r',
    startedMs: 0,
    call,
    trace,
  };
  const { raw } = (await handler({ body: { requests } } as never, context as never)) as RawReply;
  return JSON.parse(raw as string).responses.map(({ status }: { status: number }) => status);
}

it('sends each request with the credential of the batch, until its time is over', async () => {
  const sent: unknown[] = [];
  const send: SendLocally = async ({ url, headers }) => {
    sent.push([url, headers.authorization]);
    return { status: 204, headers: {}, body: Buffer.alloc(0), isWhole: true };
  };
  expect(await handle(send)).toEqual([204, 204]);
  expect(sent).toEqual(Array.from({ length: 2 }, () => ['/v2/StaffMembers', 'Bearer t']));
  expect(await handle(send, new CallController(), 60_001)).toEqual([503, 503]);
  expect(sent).toHaveLength(2);
});

it('continues after a request that broke off, but not after the client has left', async () => {
  let count = 0;
  const call = new CallController();
  const brokenOff = async () => {
    count++;
    throw new Error('The server broke off the response.');
  };
  expect(await handle(brokenOff)).toEqual([500, 500]);
  const leaving = () => {
    call.abort();
    return brokenOff();
  };
  await expect(handle(leaving, call)).rejects.toThrow('broke off');
  expect(count).toBe(3);
});
