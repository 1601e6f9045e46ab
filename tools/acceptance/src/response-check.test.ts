import { document } from '@rostergate/staff-spec';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument } from './contract-paths.ts';
import { createResponseCheck, type SeenResponse } from './response-check.ts';

const check = createResponseCheck(document as OpenApiDocument);
const problem = {
  type: 'urn:x:not_found',
  title: 'No',
  status: 404,
  detail: 'Look elsewhere.',
  code: 'not_found',
  kind: 'NotFoundError',
  request_id: 'r-1',
};

function response(
  changes: Partial<Omit<SeenResponse, 'headers'>> & {
    type?: string;
    id?: string;
    body?: unknown;
    more?: Record<string, string>;
  },
): SeenResponse {
  const { type = 'application/json', id = 'r-1', body = [], more = {}, ...rest } = changes;
  const usual = { 'Content-Type': type, 'X-Request-Id': id, 'X-Content-Type-Options': 'nosniff' };
  const headers = new Headers({ ...usual, ...more });
  return { method: 'GET', path: '/v2/staffmember', status: 200, text: JSON.stringify(body), ...rest, headers };
}

const problemResponse = (changes: object = {}, more: object = {}) =>
  response({ status: 404, type: 'application/problem+json', body: { ...problem, ...changes }, ...more });

describe('accepts', () => {
  test.each([
    ['a declared response', response({ body: [{ StaffKey: 'a', Tags: null, StartDate: null }] })],
    [
      'the other declared media type',
      response({ type: 'application/json;odata.metadata=minimal', body: { value: [] } }),
    ],
    ['a declared problem', problemResponse({}, { path: '/v2/staffmember/x' })],
    ['a problem with a status of the default', problemResponse({ status: 414 }, { status: 414 })],
    ['a problem of an undeclared operation', problemResponse({}, { path: '/nowhere' })],
    ['a response to HEAD without a body', response({ method: 'HEAD', text: '' })],
  ])('%s', (_, seen) => {
    check(seen);
  });
});

describe('rejects', () => {
  test.each([
    ['a member of another type', response({ body: [{ StaffKey: 7 }] }), /body\/0\/StaffKey must be string/],
    ['an undeclared member', response({ body: [{ Surname: 'x' }] }), /additional properties/],
    ['a null that is not allowed', response({ body: [{ StaffKey: null }] }), /StaffKey must be string/],
    ['a write-only member', response({ body: [{ TimeClockKioskPIN: '1234' }] }), /TimeClockKioskPIN must NOT/],
    ['a body that is not JSON', response({ text: '[' }), /not JSON/],
    ['another media type', response({ type: 'text/html' }), /text\/html is not one of/],
    ['an unlisted success status', response({ status: 202 }), /lists no 202/],
    ['an unlisted error status', problemResponse({ status: 418 }, { status: 418 }), /lists no 418/],
    ['an undeclared header', response({ more: { 'X-Mood': 'fine' } }), /header x-mood is not declared/],
    [
      'a missing required header',
      problemResponse({ status: 401 }, { status: 401 }),
      /required header WWW-Authenticate is missing/,
    ],
    ['success of an undeclared operation', response({ path: '/nowhere' }), /must be an error/],
    ['an error that is not a problem', response({ status: 404, body: {} }), /application\/problem\+json/],
    ['a problem without its members', problemResponse({ code: undefined }), /must have required property 'code'/],
    ['a problem of another status', problemResponse({ status: 400 }), /the status in the body is 400/],
    ['a problem of another request', problemResponse({}, { id: 'r-2' }), /the request id in the body differs/],
    ['a body in a response to HEAD', response({ method: 'HEAD' }), /HEAD has a body/],
  ])('%s', (_, seen, message) => {
    expect(() => check(seen)).toThrow(message);
  });
});

describe('an operation that passes responses through', () => {
  const anything = { content: { '*/*': {} } };
  const passing = createResponseCheck({
    paths: {
      '/up': {
        get: { operationId: 'up', responses: { '2XX': anything, default: anything } },
        post: { operationId: 'post', responses: { '2XX': anything, default: { content: { 'text/plain': {} } } } },
      },
    },
    components: { schemas: { Problem: document.components?.schemas?.Problem } } as never,
  });
  const up = (changes: Parameters<typeof response>[0]) => response({ path: '/up', type: 'text/csv', ...changes });

  test('allows any response with any status', () => {
    for (const status of [200, 207, 302, 404, 503]) passing(up({ status }));
  });

  test('must list success statuses if its default is an error', () => {
    passing(up({ method: 'POST', status: 207 }));
    expect(() => passing(up({ method: 'POST', status: 302 }))).toThrow(/lists no 302/);
  });
});

test('an error may be a page only where the contract declares one', () => {
  const headers = { 'X-Request-Id': {} };
  const page = { headers, content: { 'text/html': {} } };
  const paths = {
    '/page': { get: { operationId: 'page', responses: { 403: page, 404: { headers } } } },
  };
  const checkPage = createResponseCheck({ paths, components: { schemas: {} } } as never);
  const seen = (status: number) => response({ path: '/page', type: 'text/html', text: '<!doctype html>', status });
  checkPage(seen(403));
  expect(() => checkPage(seen(404))).toThrow(/application\/problem\+json/);
});
