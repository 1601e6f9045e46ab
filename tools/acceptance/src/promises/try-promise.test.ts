import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { definePromise } from './define-promise.ts';
import { tryPromise } from './try-promise.ts';

const folder = mkdtempSync(join(tmpdir(), 'rostergate-trial-'));
afterAll(() => rmSync(folder, { recursive: true }));
const promise = definePromise({ number: 10, title: 'Nothing', done: 'x', target: 'none', run: async () => [] });

function tryProgram(source: string, more: { readonly msMax?: number } = {}) {
  const program = join(folder, 'trial.mjs');
  writeFileSync(program, source);
  return tryPromise(promise, { scale: 'ci', seed: 7, say: () => undefined, program, ...more });
}

test('runs the trial of a number at a scale in its own process', async () => {
  const outcome = await tryPromise(promise, { scale: 'ci', seed: 7, say: () => undefined });
  expect(outcome).toMatchObject({ number: 10, name: 'No double burst at a boundary', state: 'pass', note: '' });
});

test('fails with the thrown error when the process ends early', async () => {
  const outcome = await tryProgram(`import assert from 'node:assert';\nthrow new RangeError('far too many');`);
  expect(outcome).toMatchObject({ number: 10, name: 'Nothing', target: 'none', state: 'fail', figures: [] });
  expect(outcome.note).toBe('The trial ended with 1. RangeError: far too many');
});

test('fails when the process is killed', async () => {
  const outcome = await tryProgram(`process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 10_000);`);
  expect(outcome).toMatchObject({ state: 'fail', note: 'The trial ended with SIGKILL.' });
});

test('fails when the process hangs, and kills it with everything it has started', async () => {
  // The outcome comes when no process holds its standard error open any more.
  const source = `import { spawn } from 'node:child_process';\nspawn('sleep', ['600'], { stdio: 'inherit' });\nfor (;;);`;
  const outcome = await tryProgram(source, { msMax: 1_000 });
  expect(outcome).toMatchObject({ state: 'fail', note: 'The trial ended with SIGKILL.' });
});
