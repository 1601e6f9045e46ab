import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openSqliteUsageStore } from './sqlite-usage-store.ts';
import { describeUsageStore } from './usage-store.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'rostergate-usage-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeUsageStore('The store of usage in SQLite', { open: () => openSqliteUsageStore(join(folder, 'usage.sqlite')) });
