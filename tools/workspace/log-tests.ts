import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter } from 'vitest/node';

/** A finished test, by the names that a document uses. */
export interface LoggedTest {
  /** Relative to the root of the workspace. */
  readonly file: string;
  /** Titles of the enclosing blocks, outermost first. */
  readonly blocks: readonly string[];
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/** A line of a test log. */
export interface TimedTest extends LoggedTest {
  readonly durationMs: number;
}

export interface TestLogOptions {
  /** The root of the workspace. */
  readonly root: string;
  /** The folder of the package. */
  readonly folder: string;
  /** The program that these tests need, such as `redis`; names the log. */
  readonly need: string;
}

/** Returns a reporter that writes each test, its state and its duration to `.run/` of the package. */
export function createTestLog({ root, folder, need }: TestLogOptions): Reporter {
  return {
    onTestRunEnd(modules) {
      const tests = modules.flatMap(({ moduleId, children }) =>
        [...children.allTests()].map((test): TimedTest => {
          const blocks: string[] = [];
          for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) blocks.unshift(parent.name);
          const { duration = 0 } = test.diagnostic() ?? {};
          const file = relative(root, moduleId);
          return { file, blocks, title: test.name, state: test.result().state, durationMs: Math.round(duration) };
        }),
      );
      if (tests.length === 0) return;
      mkdirSync(join(folder, '.run'), { recursive: true });
      const lines = tests.map((test) => `${JSON.stringify(test)}\n`);
      writeFileSync(join(folder, '.run', `${need}.tests.jsonl`), lines.join(''));
    },
  };
}
