export {
  createProblemDocument,
  createValidationProblem,
  type Fault,
  faultsMax,
  Problem,
  type ProblemDocument,
  type ProblemOptions,
  problemMediaType,
} from './problem.ts';
export { type ProblemCode, type ProblemDefinition, problems } from './problems.ts';
