export type { Configuration } from '../configuration.ts';
export { diffConfigurations } from './diff-configurations.ts';
export { type Diff, diffDocuments } from './diff-documents.ts';
export { type Rule, rules } from './rules.ts';
