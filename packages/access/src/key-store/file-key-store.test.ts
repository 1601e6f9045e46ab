import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
