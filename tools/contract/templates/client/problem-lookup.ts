import type { ApiProblem } from './api-problem.ts';

/** Stands here for the generated module of the same name, which is made of the servers' error table. */
export const classByKind: ReadonlyMap<string, typeof ApiProblem> = new Map();
export const kindByStatus: ReadonlyMap<number, string> = new Map();
