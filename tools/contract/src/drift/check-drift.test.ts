import { expect, it } from 'vitest';
import { changedFiles, describeDrift } from './check-drift.ts';

it('reports every file that would change and the command that fixes it', () => {
  const text = describeDrift(' M docs/errors.md\n?? specs/staff/gen/new.ts\n');
  expect(text).toContain('2 generated files would change:\n   M docs/errors.md\n  ?? specs/staff/gen/new.ts\n');
  expect(text).toContain('Run `pnpm generate` and commit them.');
});

it('finds edited, deleted and added files, also when the generators have restored them', () => {
  const asGenerated = new Map(Object.entries({ same: 'a', edited: 'b', deleted: 'c' }));
  const found = new Map(Object.entries({ same: 'a', edited: 'x', added: 'd' }));
  expect(changedFiles(found, asGenerated)).toEqual(['added', 'deleted', 'edited']);
});
