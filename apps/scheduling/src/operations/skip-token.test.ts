import { Problem } from '@rostergate/runtime/problem';
import { describe, expect, it } from 'vitest';
import { createNextLink, createSkipToken, digestQuery, parseSkipToken } from './skip-token.ts';

const scope = { companyKey: 'demo', isAdmin: true };
const digest = digestQuery('companyKey=demo&$orderby=City', scope);
const start = { after: { staffKey: "O'Neil-42", keys: ['Łódź', null, 1.5, true] }, delivered: 20, pageSize: 10 };

describe('a skip token', () => {
  it('gives back the place that it was made of', () => {
    expect(parseSkipToken(createSkipToken(start, digest), digest, 4)).toEqual(start);
  });

  it.each([
    ['another query', createSkipToken(start, digestQuery('companyKey=demo', scope))],
    ['an account that sees less', createSkipToken(start, digestQuery('companyKey=demo', { ...scope, isAdmin: false }))],
    ['another order', createSkipToken({ ...start, after: { staffKey: 'a', keys: [] } }, digest)],
    ['nobody', 'eyJhIjoxfQ'],
    ['no JSON', '!!!'],
    ['half a token', createSkipToken(start, digest).slice(0, 30)],
    ['a page of nobody', createSkipToken({ ...start, pageSize: 0 }, digest)],
    ['a key with U+0000', createSkipToken({ ...start, after: { ...start.after, staffKey: 'a\0' } }, digest)],
    [
      'half a surrogate pair',
      createSkipToken({ ...start, after: { ...start.after, keys: ['\ud800', 1, 2, 3] } }, digest),
    ],
    ['objects for values', createSkipToken({ ...start, after: { staffKey: 'a', keys: [{}] as never } }, digest)],
  ])('of %s is refused', (_, token) => {
    expect(() => parseSkipToken(token, digest, 4)).toThrow(Problem);
  });

  it('is good for the same query whatever token came with it', () => {
    expect(digestQuery('companyKey=demo&%24skiptoken=abc&$orderby=City', scope)).toBe(digest);
  });
});

describe('the link to the next page', () => {
  it.each([
    [
      'companyKey=demo&$filter=LastName%20eq%20%27O%27%27Neil%27',
      'companyKey=demo&$filter=LastName%20eq%20%27O%27%27Neil%27&',
    ],
    ['$skiptoken=old&companyKey=demo', 'companyKey=demo&'],
    ['companyKey=demo&%24skiptoken=old', 'companyKey=demo&'],
    ['companyKey="de<mo>\u00e9', 'companyKey=%22de%3Cmo%3E%E9&'],
    ['', ''],
  ])('keeps of %s all but the token', (query, kept) => {
    expect(createNextLink(query, 'new')).toBe(`staffmember?${kept}$skiptoken=new`);
  });
});
