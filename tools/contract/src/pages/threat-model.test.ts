import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from '../workspace.ts';
import { findThreatFaults, type Proofs } from './threat-model.ts';

const page = readFileSync(join(rootFolder, 'docs/threat-model.md'), 'utf8');
const proofs: Proofs = {
  promiseFiles: globSync('*.ts', { cwd: join(rootFolder, 'tools/acceptance/promises') }),
  readTest: (path) => (path.endsWith('.test.ts') ? readFileSync(join(rootFolder, path), 'utf8') : undefined),
};

test('pair threat model ⇄ proofs: each threat leads to a trial or a test, and each promise of security proves a threat', () => {
  expect(page.match(/^\| [STRIDE] \|/gm)?.length).toBeGreaterThan(40);
  expect(findThreatFaults(page, proofs)).toEqual([]);
});

test('mutation threat model ⇄ proofs: a promise gets another number, or a test another title', () => {
  const promiseFiles = proofs.promiseFiles.map((file) => file.replace('30-', '41-'));
  expect(findThreatFaults(page, { ...proofs, promiseFiles })).toContainEqual(
    expect.stringContaining('tools/acceptance/promises/30-tenancy.ts has no trial or test "30".'),
  );
  const readTest = (path: string) => proofs.readTest(path)?.replace('each attack of RFC 8725', 'each attack');
  expect(findThreatFaults(page, { ...proofs, readTest })).toEqual([
    expect.stringContaining('apps/gateway/test/token-attacks.test.ts has no trial or test "each attack of RFC 8725".'),
  ]);
});

test('mutation threat model ⇄ proofs: a threat loses its proof', () => {
  const changed = page.replace(/^(\| S \| A client claims the address of another \| .*? \|).*$/m, '$1  |');
  expect(findThreatFaults(changed, proofs)).toEqual([
    '"A client claims the address of another" has no proof.',
    'Promise 12 is the proof of no threat.',
    'Promise 13 is the proof of no threat.',
  ]);
});
