import { randomUUID } from 'node:crypto';
import { document as gatewayDocument } from '@rostergate/gateway-spec';
import { proxyDocument, schedulingDocument } from '@rostergate/staff-spec';
import { describe, expect, inject, test } from 'vitest';
import { call } from '../call.ts';
import type { OpenApiDocument } from '../contract-paths.ts';
import { contracts } from '../contracts.ts';
import { countDeclared } from '../declared-responses.ts';
import { createResponseCheck, type SeenResponse } from '../response-check.ts';
import { readResponseLog } from '../response-log.ts';
import { responsesChecked } from '../watch-fetch.ts';

/** A document that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: each test changes known members.
type Loose = any;

describe.each([
  ['gateway', gatewayDocument],
  ['staff-proxy', proxyDocument],
  ['scheduling', schedulingDocument],
] as const)('%s', (server, document) => {
  const load = (): Loose => structuredClone(document);
  const seen = async (path = '/health'): Promise<SeenResponse> => ({
    method: 'GET',
    path,
    ...(await call(server, path)),
  });
  const check = (changed: Loose, answer: SeenResponse) => createResponseCheck(changed as OpenApiDocument)(answer);
  const responsesOf = (changed: Loose) => changed.paths['/health'].get.responses;

  test('pair spec ⇄ tested responses: every response is checked against the contract, and the verdict is logged', async () => {
    check(load(), await seen());
    const logged = readResponseLog(inject('responsesFolder')).filter((answer) => answer.server === server);
    expect(logged).toContainEqual({
      server,
      operationId: 'getHealth',
      status: 200,
      listedAs: '200',
      media: 'application/json',
      headers: ['x-request-id'],
      faults: [],
    });
  });

  test('pair spec ⇄ tested responses: responses to other callers, such as clients, are checked too', async () => {
    const path = `/redoc/${randomUUID()}`;
    await fetch(inject('servers').urls[server] + path);
    await responsesChecked();
    const logged = readResponseLog(inject('responsesFolder')).filter((answer) => answer.server === server);
    expect(logged).toContainEqual(expect.objectContaining({ operationId: 'getRedocAsset', status: 404, faults: [] }));
  });

  test('mutation spec ⇄ tested responses: a status is removed only from the contract', async () => {
    const changed = load();
    delete responsesOf(changed)[200];
    await expect(async () => check(changed, await seen())).rejects.toThrow('lists no 200 for getHealth');
  });

  test('mutation spec ⇄ tested responses: a status is removed from the list of a default', async () => {
    const changed = load();
    const tooLong = await seen(`/health?x=${'x'.repeat(17_000)}`);
    changed.components.responses.UnexpectedProblem['x-statuses'] = [406];
    expect(() => check(changed, { ...tooLong, path: '/health' })).toThrow('lists no 414 for getHealth');
  });

  test('mutation spec ⇄ tested responses: a header is removed or required only in the contract', async () => {
    const [less, more] = [load(), load()];
    delete responsesOf(less)[200].headers['X-Request-Id'];
    responsesOf(more)[200].headers.Mood = { required: true };
    await expect(async () => check(less, await seen())).rejects.toThrow('the header x-request-id is not declared');
    await expect(async () => check(more, await seen())).rejects.toThrow('the required header Mood is missing');
  });

  test('mutation spec ⇄ tested responses: a response, a media type and a header are added only to the contract', async () => {
    const changed = load();
    responsesOf(changed)[418] = {};
    responsesOf(changed)[200].content['text/x-mood'] = {};
    responsesOf(changed)[200].headers.Mood = {};
    await seen();
    const documents = { ...contracts, [server]: changed };
    const { unseen } = countDeclared(readResponseLog(inject('responsesFolder')), documents);
    const named = unseen.filter((one) => one.server === server && one.operationId === 'getHealth');
    expect(named.map(({ status, part }) => `${status} ${part}`.trim())).toEqual(
      expect.arrayContaining(['418', '200 media type text/x-mood', '200 header mood']),
    );
  });

  test('mutation spec ⇄ tested responses: a media type is renamed only in the contract', async () => {
    const changed = load();
    responsesOf(changed)[200].content = {
      'application/health+json': responsesOf(changed)[200].content['application/json'],
    };
    await expect(async () => check(changed, await seen())).rejects.toThrow('application/json is not one of');
  });

  test('mutation spec ⇄ tested responses: a member is changed or removed only in the contract', async () => {
    const [retyped, less] = [load(), load()];
    retyped.components.schemas.Health.properties.status = { type: 'integer' };
    await expect(async () => check(retyped, await seen())).rejects.toThrow('body/status must be integer');
    delete less.components.schemas.Health.properties.version;
    await expect(async () => check(less, await seen())).rejects.toThrow('must NOT have additional properties');
  });

  test('mutation spec ⇄ tested responses: an operation is removed only from the contract', async () => {
    const changed = load();
    delete changed.paths['/health'];
    await expect(async () => check(changed, await seen())).rejects.toThrow('the contract has no GET /health');
  });

  test('mutation spec ⇄ tested responses: a server responds with an undeclared member or status', async () => {
    const answer = await seen();
    const more = { ...answer, text: JSON.stringify({ ...JSON.parse(answer.text ?? ''), mood: 'fine' }) };
    expect(() => check(load(), more)).toThrow('must NOT have additional properties');
    expect(() => check(load(), { ...answer, status: 203 })).toThrow('lists no 203');
  });
});
