export { analyzePattern } from './analyze-pattern.ts';
export { createSafePattern, isLinear, PatternTimeError, type SafePattern, startPatternBudget } from './safe-pattern.ts';
