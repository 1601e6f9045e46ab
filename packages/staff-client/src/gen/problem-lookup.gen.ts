// Written by tools/contract from packages/runtime/src/problem/problems.ts. Do not edit: run `pnpm generate`.
import type { ApiProblem } from './api-problem.gen.ts';
import * as kinds from './problem-kinds.gen.ts';

export const classByKind: ReadonlyMap<string, typeof ApiProblem> = new Map(Object.entries(kinds));

/** The kind of an error answer that does not name it. */
export const kindByStatus: ReadonlyMap<number, string> = new Map([
  [400, 'ValidationError'],
  [401, 'AuthenticationError'],
  [403, 'AuthorizationError'],
  [404, 'NotFoundError'],
  [405, 'MethodNotAllowedError'],
  [406, 'NotAcceptableError'],
  [408, 'RequestTimeoutError'],
  [409, 'ConflictError'],
  [412, 'PreconditionError'],
  [413, 'PayloadTooLargeError'],
  [414, 'UriTooLongError'],
  [415, 'MediaTypeError'],
  [429, 'RateLimitError'],
  [431, 'HeadersTooLargeError'],
  [500, 'InternalError'],
  [501, 'NotImplementedError'],
  [502, 'UpstreamError'],
  [503, 'UnavailableError'],
  [504, 'UpstreamError'],
]);
