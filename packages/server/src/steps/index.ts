export { createJsonBytesSteps } from './json-bytes.ts';
export { runInSlices, runSteps, type SliceOptions, type Steps } from './steps.ts';
