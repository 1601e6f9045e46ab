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

test('makes the trial of that number, at that scale, in a process of its own', async () => {
  const outcome = await tryPromise(promise, { scale: 'ci', seed: 7, say: () => undefined });
  expect(outcome).toMatchObject({ number: 10, name: 'No double burst at a boundary', state: 'held', note: '' });
});

test('is short, with what was thrown, when the process breaks off', async () => {
  const outcome = await tryProgram(`import assert from 'node:assert';\nthrow new RangeError('far too many');`);
  expect(outcome).toMatchObject({ number: 10, name: 'Nothing', target: 'none', state: 'short', figures: [] });
  expect(outcome.note).toBe('The trial broke off with 1. RangeError: far too many');
});

test('is short when the process is killed', async () => {
  const outcome = await tryProgram(`process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 10_000);`);
  expect(outcome).toMatchObject({ state: 'short', note: 'The trial broke off with SIGKILL.' });
});

test('is short when the process hangs, which is ended with all that it has started', async () => {
  // The outcome comes when nobody holds its errors open any more.
  const source = `import { spawn } from 'node:child_process';\nspawn('sleep', ['600'], { stdio: 'inherit' });\nfor (;;);`;
  const outcome = await tryProgram(source, { msMax: 1_000 });
  expect(outcome).toMatchObject({ state: 'short', note: 'The trial broke off with SIGKILL.' });
});
