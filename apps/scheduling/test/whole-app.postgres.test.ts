import { readdirSync } from 'node:fs';
import { describe } from 'vitest';

/** Runs the SQLite tests of the app on PostgreSQL. */
for (const file of readdirSync(import.meta.dirname)) {
  const [name] = /^[^.]+(?=\.test\.ts$)/.exec(file) ?? [];
  if (name === undefined) continue;
  describe(name, async () => {
    await import(`./${name}.test.ts`);
  });
}
