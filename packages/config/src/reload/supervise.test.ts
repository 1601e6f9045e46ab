import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { supervise } from './supervise.ts';

it('restarts for an edit that precedes the first check of a loaded file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-'));
  const signals = new EventEmitter();
  onTestFinished(async () => {
    signals.emit('SIGTERM', 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
  const at = (name: string) => join(folder, name);
  await writeFile(at('answer.mjs'), "export const answer = 'one';");
  // Edits a file that it has loaded before it reports it; only a restart ends it.
  await writeFile(
    at('main.mjs'),
    `import { appendFileSync, writeFileSync } from 'node:fs';
import { answer } from './answer.mjs';
appendFileSync('${at('starts')}', answer + ';');
if (answer === 'one') {
  writeFileSync('${at('answer.mjs')}', "export const answer = 'two';");
  setInterval(() => {}, 1_000);
}`,
  );
  const code = await supervise({
    script: at('main.mjs'),
    args: [],
    env: process.env,
    execArgv: ['--conditions=source'],
    signals,
    report: () => {},
  });
  expect([code, await readFile(at('starts'), 'utf8')]).toEqual([0, 'one;two;']);
});
