import { expect, it } from 'vitest';
import type { ClientOperation } from './describe-operations.ts';
import { emitClient } from './emit-client.ts';

const operation: ClientOperation = {
  operationId: 'getPerson',
  summary: 'Read one',
  description: 'Says */ more.',
  method: 'get',
  path: '/v2/person/{key}',
  isPublic: false,
  pathParameters: 'required',
  queryParameters: 'optional',
  body: 'none',
  conditions: ['If-None-Match'],
  successes: [{ status: '200', media: 'application/json' }],
};
const bare: ClientOperation = {
  ...operation,
  operationId: 'ping',
  isPublic: true,
  pathParameters: 'none',
  queryParameters: 'none',
  conditions: [],
};

it('writes the arguments, the result, the call and the method of each operation', () => {
  const text = emitClient('people', [operation]);
  expect(text).toContain(`export interface GetPersonArguments extends CallOptions {
  readonly path: operations['getPerson']['parameters']['path'];
  readonly query?: NonNullable<operations['getPerson']['parameters']['query']> | undefined;
  /** \`If-None-Match\`: the ETag from \`etagOf(…)\`. */
  readonly ifNoneMatch?: string | undefined;
}`);
  expect(text).toContain(
    "export type GetPersonResult =\n  | operations['getPerson']['responses'][200]['content']['application/json']\n  | undefined;",
  );
  expect(text).toContain('  getPerson(request: GetPersonArguments): Promise<GetPersonResult>;');
  expect(text).toContain("  getPerson: ['/v2/person/{key}'],");
});

it('writes the parts of a call that are not defaults', () => {
  const successes = ['text/html', 'text/css'].map((media) => ({ status: '200', media }));
  const text = emitClient('people', [{ ...bare, method: 'post', successes }]);
  expect(text).toContain("  ping: ['/v2/person/{key}', 'post', true, '*/*'],");
  expect(emitClient('people', [bare])).toContain("  ping: ['/v2/person/{key}', undefined, true],");
  expect(emitClient('people', [{ ...bare, successes: [] }])).toContain(
    "  ping: ['/v2/person/{key}', undefined, true, ''],",
  );
});

it('makes the arguments of an operation without parameters optional', () => {
  const text = emitClient('people', [bare]);
  expect(text).toContain('  ping(request?: CallOptions): Promise<PingResult>;');
  expect(text).not.toContain('PingArguments');
});

it('types text as one string, and an empty response as undefined', () => {
  const media = ['text/css', 'text/html'].map((one) => ({ status: '200', media: one }));
  expect(emitClient('people', [{ ...bare, successes: media }])).toContain('export type PingResult = string;');
  expect(emitClient('people', [{ ...bare, successes: [] }])).toContain('export type PingResult = undefined;');
});

it('escapes the end of a comment in a description', () => {
  expect(emitClient('people', [operation])).toContain('   * Says *\\/ more.\n');
});
