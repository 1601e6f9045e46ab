import type { ApiProblem } from './api-problem.ts';

/** Stands here for the generated module of the same name, which is made of the servers' error table. */
export const kinds: readonly (readonly [status: number, kind: string, constructor: typeof ApiProblem])[] = [];
