import type { OpenApiDocument } from '@rostergate/server';
import { describe, expect, it } from 'vitest';
import { listOperations, searchOperations } from './listed-operations.ts';

const open = { security: [] };
const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  security: [{ key: [] }],
  paths: {
    '/coins': { get: { tags: ['coins'], summary: 'Price of a Coin', ...open }, post: { tags: ['admin', 'coins'] } },
    '/hello': { get: { security: [{ key: [] }, {}] } },
    '/coins/{id}': { get: { tags: ['coins'], summary: 'One coin' } },
  },
};
const operations = listOperations(document);
const named = (list: readonly { method: string; path: string }[]) => list.map((o) => `${o.method} ${o.path}`);
const find = (query: Parameters<typeof searchOperations>[1], perPage = 10) => {
  const page = searchOperations(operations, query, perPage);
  return { ...page, operations: named(page.operations) };
};

describe('listOperations', () => {
  it('orders groups by their first appearance', () => {
    expect(named(operations)).toEqual(['get /coins', 'get /coins/{id}', 'post /coins', 'get /hello']);
  });

  it('finds which operations need a credential, by their own or the document’s security', () => {
    expect(operations.map((o) => o.needsCredential)).toEqual([false, true, true, false]);
  });

  it('leaves out unlisted operations', () => {
    expect(named(listOperations(document, ({ summary }) => summary === 'One coin'))).toEqual(['get /coins/{id}']);
  });
});

describe('searchOperations', () => {
  it.each([
    [{ q: 'COIN price' }, ['get /coins']],
    [{ q: 'post' }, ['post /coins']],
    [{ q: 'admin' }, ['post /coins']],
    [{ q: '  ' }, ['get /coins', 'get /coins/{id}', 'post /coins', 'get /hello']],
    [{ tag: 'coins' }, ['get /coins', 'get /coins/{id}', 'post /coins']],
    [{ tag: 'coins', q: 'one' }, ['get /coins/{id}']],
    [{ tag: 'coin' }, []],
    [{ q: 'nothing' }, []],
  ])('matches every word and the tag: %o', (query, expected) => {
    expect(find(query).operations).toEqual(expected);
  });

  it('puts each operation on one page, and returns the last page for a later one', () => {
    const pages = [1, 2, 3].map((page) => find({ page }, 3));
    expect(pages.map((p) => p.operations.length)).toEqual([3, 1, 1]);
    expect(pages.map((p) => [p.page, p.pages, p.found, p.total])).toEqual([
      [1, 2, 4, 4],
      [2, 2, 4, 4],
      [2, 2, 4, 4],
    ]);
    expect(find({ q: 'nothing' })).toMatchObject({ page: 1, pages: 1, found: 0, total: 4 });
  });
});
