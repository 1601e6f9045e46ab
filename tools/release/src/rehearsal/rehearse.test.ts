import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rehearse } from './rehearse.ts';
import { createReport } from './report.ts';

it('fails if it reaches no step', async () => {
  const scratch = join(import.meta.dirname, 'no such folder');
  const rehearsal = await rehearse({ root: scratch, scratch, write: () => {}, clock: () => 0 });
  expect(createReport(rehearsal)).toMatchObject({ passed: 0, failed: 1, steps: [{ name: 'rehearse', passed: false }] });
});
