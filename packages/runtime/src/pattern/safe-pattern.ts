import { createRequire } from 'node:module';
import vm from 'node:vm';
import { analyzePattern, type PatternShape } from './analyze-pattern.ts';

/** A regular expression whose test ends in bounded time, whatever the pattern and the text. */
export interface SafePattern {
  /** @throws PatternTimeError when the tests of one validation would take too long. */
  test(text: string): boolean;
}

/** The patterns of one validation took longer than all of them may. */
export class PatternTimeError extends Error {
  override readonly name = 'PatternTimeError';

  constructor() {
    super(`holding texts against patterns took more than ${budgetMs} ms`);
  }
}

/** For all patterns of one validation together, in time of the thread. */
const budgetMs = 25;
/** A pattern that may take polynomial time runs unguarded for as many steps: less than a millisecond. */
const stepsMax = 20_000;

/** Texts this short need no time limit: a pattern tries a few thousand ways at most. */
const shortMax = 8;

let spentMs = 0;
let cpuStart: NodeJS.CpuUsage | undefined;

/** Gives the validation that begins now its own time. */
export function startPatternBudget(): void {
  spentMs = 0;
  cpuStart = undefined;
}

/**
 * Returns how a pattern is run: by V8 where it is linear by its form, by RE2's algorithm where that knows its syntax,
 * else by V8 under a time limit. It matches what `new RegExp(source, flags)` matches.
 * @throws SyntaxError, as `new RegExp` does.
 */
export function createSafePattern(source: string, flags = ''): SafePattern {
  const native = new RegExp(source, flags.replace(/[dgy]/g, ''));
  const shape = analyzePattern(source);
  if (isLinear(shape)) return native;
  const guarded = guardedTest(native, shape);
  if (shape.re2 === undefined || !/^[iu]*$/.test(native.flags)) return { test: timed(guarded) };
  const isUnicode = native.flags === 'u';
  // Without the flag u these escapes mean plain letters, and with i too their sets differ between the engines.
  const linear = !isUnicode && /\\[pPu]/.test(source) ? null : createRe2(shape.re2, native.ignoreCase);
  if (linear === null) return { test: timed(guarded) };
  // Only with the flag u, and without i, are both engines the same for all characters.
  return { test: timed((text) => (isUnicode || ascii.test(text) ? linear.test(text) : guarded(text))) };
}

/** Whether V8 needs no more than linear time for a pattern, by its form. */
export function isLinear({ isNested, power, needsBacktracking }: PatternShape): boolean {
  return !isNested && power <= 1 && !needsBacktracking;
}

const ascii = /^[\0-\x7f]*$/;
const require = createRequire(import.meta.url);

/** Null where the pattern says what RE2 has no words for. Loaded with the first such pattern. */
function createRe2(source: string, ignoresCase: boolean): SafePattern | null {
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    const pattern = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    // Its own machine may take a second for a long text and a pattern with many states.
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

/** Counts what a test takes against the time of the validation. */
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

/** V8 ends a regular expression, as any other code, when the time of its script is up. */
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

/** Of this thread alone where Node measures that (23.9 and later): others compile and collect meanwhile. */
const threadUsage: typeof process.cpuUsage = (process.threadCpuUsage ?? process.cpuUsage).bind(process);

/** On a busy machine time passes without this process running. */
function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = threadUsage(start);
  return (user + system) / 1_000;
}
