import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { createRestWriter } from './assets/contract-page.js';
// @ts-expect-error: a script of the pages, without types.
import { findOperations, partNamed, partsOf, takePart } from './assets/contract-parts.js';

const operation = (operationId: string, ...tags: string[]) => ({ operationId, tags, summary: `Does ${operationId}` });
const contract = {
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  tags: [{ name: 'a' }, { name: 'b' }, { name: 'unused' }],
  components: { schemas: {} },
  paths: {
    '/x': { parameters: [{ name: 'p' }], get: operation('getX', 'a'), post: operation('postX', 'b') },
    '/y': { get: operation('getY', 'a') },
    '/z': { get: operation('getZ', 'a', 'b'), delete: { operationId: 'deleteZ' } },
  },
};
it('writes the slashes of the rest of a path, and of no other parameter', () => {
  const get = (more: object = {}) => ({ parameters: [{ name: 'last', in: 'path', ...more }] });
  const paths = { '/f.1/{id}/{last}': { get: get({ 'x-multi-segment': true }) }, '/g/{last}': { get: get() } };
  const write = createRestWriter({ paths });
  const written = (url: string) => write({ url, method: 'GET' }).url;
  expect(written('http://a/f.1/x%2Fy/b%2Fc%20d?e=%2F')).toBe('http://a/f.1/x%2Fy/b/c%20d?e=%2F');
  for (const url of ['http://a/g/b%2Fc', 'http://a/fx1/1/b%2Fc', 'http://a/openapi.json'])
    expect(written(url)).toBe(url);
});

interface Part {
  readonly name: string;
  readonly operations: readonly { readonly operation: { readonly operationId: string } }[];
}
const named = ({ name, operations }: Part) => [name, operations.map((each) => each.operation.operationId)];

describe('partsOf', () => {
  it('puts each operation into one part by its first tag, and splits large groups', () => {
    expect(partsOf(contract, 2).map(named)).toEqual([
      ['a, 1 of 2', ['getX', 'getY']],
      ['a, 2 of 2', ['getZ']],
      ['b', ['postX']],
      ['Other', ['deleteZ']],
    ]);
  });
});

describe('takePart', () => {
  it('keeps only the operations of the part and their shared members', () => {
    const part = takePart(contract, partsOf(contract, 2)[2]);
    expect(part.paths).toEqual({ '/x': { parameters: [{ name: 'p' }], post: operation('postX', 'b') } });
    expect([part.tags, part.components, part.info]).toEqual([[{ name: 'b' }], contract.components, contract.info]);
  });
});

describe('partNamed', () => {
  it.each(['#operation/getZ', '#tag/a/operation/getZ'])('finds the part of %s', (hash) => {
    expect(partNamed(partsOf(contract, 2), hash).name).toBe('a, 2 of 2');
  });

  it('finds the first part of a tag', () => {
    expect(partNamed(partsOf(contract, 2), '#tag/A').name).toBe('a, 1 of 2');
  });

  it.each(['', '#tag/nothing', '#operation/nothing', '#section/a'])('finds no part for "%s"', (hash) => {
    expect(partNamed(partsOf(contract, 2), hash)).toBeUndefined();
  });
});

describe('findOperations', () => {
  it('matches every word, up to a limit', () => {
    const ids = (words: string[], max = 9) =>
      findOperations(contract, words, max).map((each: Part['operations'][number]) => each.operation.operationId);
    expect(ids(['get', 'does'])).toEqual(['getX', 'getY', 'getZ']);
    expect(ids(['/z'], 1)).toEqual(['getZ']);
    expect(ids(['delete', 'x'])).toEqual([]);
  });
});
