import type { ApiProblem } from './api-problem.ts';

/** Placeholder of the generated module of the same name, which contains the error table. */
export const kinds: readonly (readonly [status: number, kind: string, constructor: typeof ApiProblem])[] = [];
