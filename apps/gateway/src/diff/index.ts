export type { Configuration } from '../configuration.ts';
export { type Change, type ChangeSummary, summarize } from './change.ts';
export { diffConfigurations } from './diff-configurations.ts';
export { type Diff, diffDocuments } from './diff-documents.ts';
export { type ChangeKind, changeKinds, type Rule, rules } from './rules.ts';
