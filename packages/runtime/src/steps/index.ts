export { runInSlices, runSteps, type SliceOptions, type Steps } from './steps.ts';
