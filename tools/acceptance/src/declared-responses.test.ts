import { expect, test } from 'vitest';
import type { LoggedAnswer } from './answer-log.ts';
import { countDeclared, findUnexplained } from './declared-responses.ts';
import type { Unprovoked } from './unprovoked-responses.ts';

const page = { content: { 'text/html': {} }, headers: { 'X-Request-Id': {}, ETag: {} } };
const responses = { 200: page, 404: {}, default: {} };
const documents = {
  gateway: { paths: { '/a': { get: { operationId: 'getA', responses } } } },
  'staff-proxy': { paths: {} },
  scheduling: { paths: {} },
};
const seen: LoggedAnswer = {
  ...{ server: 'gateway', operationId: 'getA', status: 200, listedAs: '200', faults: [] },
  ...{ media: 'text/html', headers: ['etag', 'x-request-id'] },
};
const listed: Unprovoked = { servers: ['gateway'], operations: 'all', statuses: ['404'], reason: 'There is none.' };

const problemsOf = (answers: readonly LoggedAnswer[], entries: readonly Unprovoked[] = []) =>
  findUnexplained(countDeclared(answers, documents).unseen, entries);

test('counts declared responses by operation and status, an unlisted status as the default', () => {
  const answers = [seen, seen, { ...seen, status: 503, listedAs: 'default' }, { ...seen, operationId: undefined }];
  expect(countDeclared(answers, documents).lines[0]).toBe(
    'gateway: 2 of 3 declared responses were seen, by operation and status',
  );
});

test('names a declared response that no test has seen', () => {
  const answers = [seen, { ...seen, status: 503, listedAs: 'default' }];
  expect(problemsOf(answers)).toEqual(['gateway getA 404: is declared, and no test has seen it']);
  expect(problemsOf(answers, [listed])).toEqual([]);
});

test('names each status that a default lists and no test has seen, unless the operation declares it by itself', () => {
  const some = { 200: page, 404: {}, default: { 'x-statuses': [404, 406, 502] } };
  const listing = { ...documents, gateway: { paths: { '/a': { get: { operationId: 'getA', responses: some } } } } };
  const answers = [seen, { ...seen, status: 404, listedAs: '404' }, { ...seen, status: 406, listedAs: 'default' }];
  const { lines, unseen } = countDeclared(answers, listing);
  expect(lines[0]).toBe('gateway: 3 of 4 declared responses were seen, by operation and status');
  expect(findUnexplained(unseen, [])).toEqual(['gateway getA 502: is declared, and no test has seen it']);
});

test('names a declared media type and a declared header of a response that came without', () => {
  const answers = [{ ...seen, media: 'text/plain', headers: ['x-request-id'] }];
  const problems = problemsOf(answers, [{ ...listed, statuses: ['404', 'default'] }]);
  expect(problems).toEqual([
    'gateway getA 200 media type text/html: is declared, and no test has seen it',
    'gateway getA 200 header etag: is declared, and no test has seen it',
  ]);
});

test('names a listed reason that is not needed', () => {
  const answers = ['200', '404', 'default'].map((listedAs) => ({ ...seen, listedAs }));
  expect(problemsOf(answers, [listed])).toEqual(['gateway: is listed and yet seen, or not declared: There is none.']);
});
