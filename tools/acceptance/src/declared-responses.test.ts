import { expect, test } from 'vitest';
import { countDeclared, findUnexplained, type Unprovoked } from './declared-responses.ts';
import type { LoggedResponse } from './response-log.ts';

const page = { content: { 'text/html': {} }, headers: { 'X-Request-Id': {}, ETag: {} } };
const responses = { 200: page, 404: {}, default: {} };
const documents = {
  gateway: { paths: { '/a': { get: { operationId: 'getA', responses } } } },
  'staff-proxy': { paths: {} },
  scheduling: { paths: {} },
};
const seen: LoggedResponse = {
  ...{ server: 'gateway', operationId: 'getA', status: 200, listedAs: '200', faults: [] },
  ...{ media: 'text/html', headers: ['etag', 'x-request-id'] },
};
const listed: Unprovoked = { servers: ['gateway'], operations: 'all', statuses: ['404'], reason: 'There is none.' };

const problemsOf = (replies: readonly LoggedResponse[], entries: readonly Unprovoked[] = []) =>
  findUnexplained(countDeclared(replies, documents).unseen, entries);

test('counts declared responses by operation and status, and unlisted statuses as the default', () => {
  const replies = [seen, seen, { ...seen, status: 503, listedAs: 'default' }, { ...seen, operationId: undefined }];
  expect(countDeclared(replies, documents).lines[0]).toBe(
    'gateway: 2 of 3 declared responses seen, by operation and status',
  );
});

test('reports a declared response that no test has caused', () => {
  const replies = [seen, { ...seen, status: 503, listedAs: 'default' }];
  expect(problemsOf(replies)).toEqual(['gateway getA 404: is declared, but no test has caused it']);
  expect(problemsOf(replies, [listed])).toEqual([]);
});

test('reports each unseen status that a default lists, unless the operation declares it separately', () => {
  const some = { 200: page, 404: {}, default: { 'x-statuses': [404, 406, 502] } };
  const listing = { ...documents, gateway: { paths: { '/a': { get: { operationId: 'getA', responses: some } } } } };
  const replies = [seen, { ...seen, status: 404, listedAs: '404' }, { ...seen, status: 406, listedAs: 'default' }];
  const { lines, unseen } = countDeclared(replies, listing);
  expect(lines[0]).toBe('gateway: 3 of 4 declared responses seen, by operation and status');
  expect(findUnexplained(unseen, [])).toEqual(['gateway getA 502: is declared, but no test has caused it']);
});

test('reports an unseen media type and header of a seen response', () => {
  const replies = [{ ...seen, media: 'text/plain', headers: ['x-request-id'] }];
  const problems = problemsOf(replies, [{ ...listed, statuses: ['404', 'default'] }]);
  expect(problems).toEqual([
    'gateway getA 200 media type text/html: is declared, but no test has caused it',
    'gateway getA 200 header etag: is declared, but no test has caused it',
  ]);
});

test('reports an unneeded reason', () => {
  const replies = ['200', '404', 'default'].map((listedAs) => ({ ...seen, listedAs }));
  expect(problemsOf(replies, [listed])).toEqual(['gateway: has a reason, but is seen or not declared: There is none.']);
});
