import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkKeys } from '../../test/check-keys.ts';
import { createFileKeyStore } from './file-key-store.ts';
import { describeKeyStore } from './key-store.contract.ts';

describeKeyStore('a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-keys-'));
  return {
    open: async () => createFileKeyStore({ path: join(folder, 'keys.json'), check: checkKeys }),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

it('checks the file again only after a change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostergate-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'keys.json');
  const checked: string[] = [];
  const store = createFileKeyStore({ path, check: (text) => void checked.push(text) });
  expect(await store.find('a')).toBeUndefined();
  writeFileSync(path, '{"keys":[{"name":"a","owner":"x"}]}');
  for (const keys of [1, 1]) expect(await store.owners({ after: '', limit: 9 })).toEqual([{ owner: 'x', keys }]);
  expect(checked).toHaveLength(1);
  // Of another size: both writes may have the same time of change.
  writeFileSync(path, '{"keys":[{"name":"other","owner":"x"}]}');
  expect([await store.find('a'), await store.find('other')]).toEqual([undefined, { name: 'other', owner: 'x' }]);
  expect(checked).toHaveLength(2);
});
