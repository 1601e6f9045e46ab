import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter } from 'vitest/node';

/** A test that a run has had, as far as a document can name it. */
export interface LoggedTest {
  /** From the workspace's root. */
  readonly file: string;
  /** Titles of the blocks around it, the outermost first. */
  readonly blocks: readonly string[];
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

export interface TestLogOptions {
  /** Of the workspace. */
  readonly root: string;
  /** Of the package whose tests run. */
  readonly folder: string;
  /** What the run had at hand, such as `redis`. */
  readonly need: string;
}

/** Writes at the end of a run which tests ran and how each ended, to `.run/` of the package. */
export function createTestLog({ root, folder, need }: TestLogOptions): Reporter {
  return {
    onTestRunEnd(modules) {
      const tests = modules.flatMap(({ moduleId, children }) =>
        [...children.allTests()].map((test): LoggedTest => {
          const blocks: string[] = [];
          for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) blocks.unshift(parent.name);
          return { file: relative(root, moduleId), blocks, title: test.name, state: test.result().state };
        }),
      );
      if (tests.length === 0) return;
      mkdirSync(join(folder, '.run'), { recursive: true });
      const lines = tests.map((test) => `${JSON.stringify(test)}\n`);
      writeFileSync(join(folder, '.run', `${need}.tests.jsonl`), lines.join(''));
    },
  };
}
