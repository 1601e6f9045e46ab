export { didYouMean, isTypoOf, suggestField, suggestOption } from './did-you-mean.ts';
export {
  createProblemDocument,
  createRouteProblem,
  createValidationProblem,
  type Fault,
  faultsMax,
  Problem,
  type ProblemDocument,
  type ProblemOptions,
  problemMediaType,
} from './problem.ts';
export { kindOfStatus, type ProblemCode, type ProblemType, problems } from './problems.ts';
export { statusTexts } from './status-texts.ts';
