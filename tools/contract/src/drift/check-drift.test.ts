import { expect, it } from 'vitest';
import { describeDrift } from './check-drift.ts';

it('names every file that would change and the command that mends them', () => {
  const text = describeDrift(' M docs/errors.md\n?? specs/staff/gen/new.ts\n');
  expect(text).toContain('2 generated files would change:\n   M docs/errors.md\n  ?? specs/staff/gen/new.ts\n');
  expect(text).toContain('Run `pnpm generate` and commit them.');
});
