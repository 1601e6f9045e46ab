export { faultsMax } from './bounded-faults.ts';
export { createValidationProblem, type Fault, Problem, type ProblemOptions } from './problem.ts';
export { createProblemDocument, type ProblemDocument, problemMediaType } from './problem-document.ts';
export { type ProblemCode, type ProblemDefinition, problems } from './problems.ts';
