import { createRequire } from 'node:module';
import vm from 'node:vm';
import { analyzePattern, type PatternShape } from './analyze-pattern.ts';

/** A regular expression whose test ends in bounded time for any text. */
export interface SafePattern {
  /** @throws PatternTimeError when the tests of one validation would take too long. */
  test(text: string): boolean;
}

/** The patterns of one validation exceeded their common time limit. */
export class PatternTimeError extends Error {
  override readonly name = 'PatternTimeError';

  constructor() {
    super(`matching the patterns took more than ${budgetMs} ms`);
  }
}

/** The time limit of all patterns of one validation, in CPU time of the thread. */
const budgetMs = 25;
/** A polynomial pattern runs without a time limit up to this number of steps, less than a millisecond. */
const stepsMax = 20_000;

/** Shorter texts need no time limit: a pattern takes a few thousand steps at most. */
const shortMax = 8;

let spentMs = 0;
let cpuStart: NodeJS.CpuUsage | undefined;

/** Resets the time limit at the beginning of a validation. */
export function startPatternBudget(): void {
  spentMs = 0;
  cpuStart = undefined;
}

/**
 * Returns a pattern that matches what `new RegExp(source, flags)` matches. It runs on V8 where its form is linear, on
 * RE2JS where that supports its syntax, otherwise on V8 with a time limit.
 * @throws SyntaxError, as `new RegExp` does.
 */
export function createSafePattern(source: string, flags = ''): SafePattern {
  const native = new RegExp(source, flags.replace(/[dgy]/g, ''));
  const shape = analyzePattern(source);
  if (isLinear(shape)) return native;
  const guarded = guardedTest(native, shape);
  if (shape.re2 === undefined || !/^[iu]*$/.test(native.flags)) return { test: timed(guarded) };
  const isUnicode = native.flags === 'u';
  // Without the flag u these escapes are plain letters, and with i their sets differ between the engines.
  const linear = !isUnicode && /\\[pPu]/.test(source) ? null : createRe2(shape.re2, native.ignoreCase);
  if (linear === null) return { test: timed(guarded) };
  // Only with the flag u and without i do both engines agree on all characters.
  return { test: timed((text) => (isUnicode || ascii.test(text) ? linear.test(text) : guarded(text))) };
}

/** Returns whether V8 runs a pattern in linear time, according to its form. */
export function isLinear({ isNested, power, needsBacktracking }: PatternShape): boolean {
  return !isNested && power <= 1 && !needsBacktracking;
}

const ascii = /^[\0-\x7f]*$/;
const require = createRequire(import.meta.url);

/** Returns null where RE2 does not support the pattern. Loads RE2JS with the first such pattern. */
function createRe2(source: string, ignoresCase: boolean): SafePattern | null {
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    const pattern = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    // RE2JS may take a second for a long text and a pattern with many states.
    return { test: (text) => (text.length > 4_096 ? runWithin(() => pattern.test(text)) : pattern.test(text)) };
  } catch {
    return null;
  }
}

function guardedTest(native: RegExp, { isNested, power }: PatternShape): (text: string) => boolean {
  return (text) =>
    text.length <= shortMax || (!isNested && text.length ** power <= stepsMax)
      ? native.test(text)
      : runWithin(() => native.test(text));
}

/** Counts the time of a test against the limit of the validation. */
function timed(test: (text: string) => boolean): (text: string) => boolean {
  return (text) => {
    cpuStart ??= threadUsage();
    const startedMs = performance.now();
    const isMatch = test(text);
    spentMs += performance.now() - startedMs;
    if (spentMs > budgetMs && cpuMsSince(cpuStart) > budgetMs) throw new PatternTimeError();
    return isMatch;
  };
}

const running = vm.createContext({ run: (): boolean => false });
const script = new vm.Script('run()');

/** Runs a regular expression in a script with a timeout, which V8 enforces inside of it. */
function runWithin(run: () => boolean): boolean {
  const before = threadUsage();
  for (;;) {
    running.run = run;
    try {
      return script.runInContext(running, { timeout: budgetMs }) as boolean;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (cpuMsSince(before) > budgetMs / 2) throw new PatternTimeError();
    }
  }
}

/** The CPU time of this thread where Node measures it (23.9 and later): other threads compile and collect garbage. */
const threadUsage: typeof process.cpuUsage = (process.threadCpuUsage ?? process.cpuUsage).bind(process);

/** CPU time, since on a busy machine the process may be paused. */
function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = threadUsage(start);
  return (user + system) / 1_000;
}
