import type { IncomingMessage } from 'node:http';
import { createProblemDocument, Problem } from '@rostergate/server/problem';
import { expect, it } from 'vitest';
import { formODataError } from './odata-error.ts';

const form = (problem: Problem, url = '/v2/StaffMembers?$top=x', headers = {}) =>
  formODataError(createProblemDocument(problem, 'request-1', '/v2/StaffMembers'), { url, headers } as IncomingMessage);

it('has the code and the detail, and the target of a single fault', () => {
  const errors = [{ parameter: '$top', detail: 'must be integer' }];
  expect(form(new Problem('validation_failed', 'Correct it.', { errors }))).toEqual({
    body: {
      error: {
        ...{ code: 'validation_failed', message: 'Correct it.', target: '$top' },
        details: [{ code: 'validation_failed', message: 'must be integer', target: '$top' }],
      },
    },
    contentType: 'application/json',
    headers: { 'OData-Version': '4.01' },
  });
});

it('names the targets of several faults in the details only', () => {
  const errors = [
    { parameter: '$top', detail: 'must be integer' },
    { header: 'Prefer', detail: 'is too long' },
  ];
  const details = ['$top', 'Prefer'].map((target) => expect.objectContaining({ target }));
  const error = { code: 'validation_failed', message: 'Correct them.', details };
  expect(form(new Problem('validation_failed', 'Correct them.', { errors }))?.body).toEqual({ error });
});

it('has no details without faults, and the version of the client', () => {
  const problem = new Problem('not_found', 'Check the key.');
  const formed = form(problem, "/v2/StaffMembers('x')", { 'odata-maxversion': '4.0' });
  expect(formed?.body).toEqual({ error: { code: 'not_found', message: 'Check the key.' } });
  expect(formed?.headers).toEqual({ 'OData-Version': '4.0' });
});

it.each(['/v2/staffmember', '/v2/login', '/health'])('leaves the problem of %s unchanged', (url) => {
  expect(form(new Problem('not_found', 'Check the key.'), url)).toBeUndefined();
});
