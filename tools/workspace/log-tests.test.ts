import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { createTestLog } from './log-tests.ts';

test('writes each test of a run with its blocks, state and duration', () => {
  const root = mkdtempSync(join(tmpdir(), 'rostergate-log-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const module = { type: 'module' };
  const outer = { type: 'suite', name: 'outer', parent: module };
  const inner = { type: 'suite', name: 'inner', parent: outer };
  const of = (name: string, parent: object, state: string) => ({
    ...{ name, parent, result: () => ({ state }), diagnostic: () => ({ duration: 1_234.5 }) },
  });
  const tests = [of('one', inner, 'passed'), of('two', module, 'failed')];
  const modules = [{ moduleId: join(root, 'a/x.test.ts'), children: { allTests: () => tests } }];
  const log = createTestLog({ root, folder: root, need: 'npm' });
  log.onTestRunEnd?.(modules as unknown as TestModule[], [], 'passed');
  const lines = readFileSync(join(root, '.run/npm.tests.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { file: 'a/x.test.ts', blocks: ['outer', 'inner'], title: 'one', state: 'passed', durationMs: 1_235 },
    { file: 'a/x.test.ts', blocks: [], title: 'two', state: 'failed', durationMs: 1_235 },
  ]);
});
