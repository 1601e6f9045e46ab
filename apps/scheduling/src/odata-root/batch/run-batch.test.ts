import { describe, expect, it } from 'vitest';
import type { BatchPart } from './parse-batch.ts';
import { toErrorResponse } from './part-response.ts';
import { type BatchOptions, type PartRequest, runBatch } from './run-batch.ts';

type Part = Partial<BatchPart>;

const partOf = (part: Part, n: number): BatchPart => ({
  ...{ id: `${n + 1}`, method: 'GET', target: { url: `/v2/${n + 1}` }, headers: {}, body: undefined },
  ...{ group: undefined, dependsOn: [], isConditional: false, ...part },
});

/** Runs parts on a server that answers `/v2/404` with 404, and all else with 201, a Location and 10 bytes. */
async function run(parts: Part[], options: Partial<BatchOptions> = {}) {
  const sent: PartRequest[] = [];
  const send = async (request: PartRequest) => {
    sent.push(request);
    const status = request.url === '/v2/404' ? 404 : 201;
    const headers = { 'content-type': 'application/json', location: `/v2/made${sent.length}`, date: 'today' };
    const body = Buffer.from('"12345678"').subarray(0, request.bytesMax);
    return { status, headers, body, isWhole: request.bytesMax >= 10 };
  };
  const text = await runBatch(parts.map(partOf), {
    ...{ root: new URL('http://staff.example/v2/'), operationAt: () => undefined, send },
    toError: (problem) => toErrorResponse(problem, 'r', '4.01'),
    ...{ continuesOnError: true, bytesMax: 1_000, isLate: () => false, pause: async () => {}, ...options },
  });
  const { responses } = JSON.parse(text) as { responses: Record<string, never>[] };
  return { responses, statuses: responses.map(({ status }) => status), urls: sent.map(({ url }) => url) };
}

const failing = { target: { url: '/v2/404' } };

it('returns the status, the fields that describe the response and the body of each request', async () => {
  const { responses } = await run([{}, { group: 'g' }]);
  const headers = { 'content-type': 'application/json', location: '/v2/made1' };
  expect(responses).toEqual([
    { id: '1', status: 201, headers, body: '12345678' },
    { id: '2', atomicityGroup: 'g', status: 201, headers: { ...headers, location: '/v2/made2' }, body: '12345678' },
  ]);
});

describe('an error', () => {
  it('does not end the batch, except where the client prefers that', async () => {
    expect((await run([{}, failing, {}])).statuses).toEqual([201, 404, 201]);
    const { statuses, urls } = await run([{}, failing, {}], { continuesOnError: false });
    expect([statuses, urls]).toEqual([
      [201, 404],
      ['/v2/1', '/v2/404'],
    ]);
  });

  it('fails the requests that depend on it with 424', async () => {
    const parts = [failing, { dependsOn: ['1'] }, { dependsOn: ['2'] }, {}, { dependsOn: ['4'] }];
    const { statuses, urls, responses } = await run(parts);
    expect([statuses, urls]).toEqual([
      [404, 424, 424, 201, 201],
      ['/v2/404', '/v2/4', '/v2/5'],
    ]);
    expect(responses[1]).toMatchObject({ body: { error: { code: 'dependency_failed' } } });
  });

  it('is neither a redirect nor 304', async () => {
    const send = async () => ({ status: 304, headers: {}, body: Buffer.alloc(0), isWhole: true });
    expect((await run([{}, { dependsOn: ['1'] }], { send })).statuses).toEqual([304, 304]);
  });

  it('is 424 for a condition', async () => {
    expect((await run([{ isConditional: true }, { dependsOn: ['1'] }])).statuses).toEqual([424, 424]);
  });
});

describe('a group', () => {
  it('of several requests is 501, and nothing of it is executed', async () => {
    const { statuses, urls } = await run([{ group: 'g' }, { group: 'g' }, { dependsOn: ['g'] }, {}]);
    expect([statuses, urls]).toEqual([[501, 501, 424, 201], ['/v2/4']]);
  });

  it('of a single request is executed, and others may depend on it', async () => {
    expect((await run([{ group: 'g' }, { dependsOn: ['g'] }])).statuses).toEqual([201, 201]);
  });
});

describe('a reference', () => {
  const to = (reference: string, rest = ''): Part => ({ target: { reference, rest }, dependsOn: [reference] });

  it('is the Location of the response', async () => {
    expect((await run([{}, to('1', '/manager?a=b')])).urls).toEqual(['/v2/1', '/v2/made1/manager?a=b']);
  });

  it('is the URL of a read without Location, and nothing for other requests', async () => {
    const bare = async () => ({ status: 200, headers: {}, body: Buffer.alloc(0), isWhole: true });
    const parts = [{ target: { url: '/v2/a?b=c' } }, to('1'), { method: 'POST' }, to('3')];
    expect((await run(parts, { send: bare })).statuses).toEqual([200, 200, 200, 424]);
  });

  it('leads to no URL that a request may not have', async () => {
    const { statuses, responses } = await run([{}, to('1', '/../../metrics')]);
    expect(statuses).toEqual([201, 400]);
    expect(responses[1]).toMatchObject({ body: { error: { target: '/requests/1/url' } } });
  });
});

describe('a limit', () => {
  it('rejects reads whose responses are too large together, and cuts the response of a write', async () => {
    const post = { method: 'POST' };
    const { statuses, responses, urls } = await run([{}, {}, post, {}, {}, post], { bytesMax: 25 });
    expect(statuses).toEqual([201, 201, 201, 400, 400, 201]);
    expect(responses.map((one) => 'body' in one)).toEqual([true, true, false, true, true, false]);
    expect(responses[3]).toMatchObject({ body: { error: { code: 'batch_too_large' } } });
    // The errors use up the rest.
    expect(urls).toEqual(['/v2/1', '/v2/2', '/v2/3', '/v2/4', '/v2/6']);
  });

  it('of time begins no further request', async () => {
    let asked = 0;
    const { statuses, urls } = await run([{}, {}, {}], { isLate: () => asked++ > 0 });
    expect([statuses, urls]).toEqual([[201, 503, 503], ['/v2/1']]);
  });
});

it('ends with the error of a client that has left', async () => {
  const send = () => Promise.reject(new Error('The request was cancelled.'));
  await expect(run([{}, {}], { send })).rejects.toThrow('cancelled');
});
