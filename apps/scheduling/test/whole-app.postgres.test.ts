import { readdirSync } from 'node:fs';
import { describe } from 'vitest';

/** What the app is held to over SQLite, over PostgreSQL. */
for (const file of readdirSync(import.meta.dirname)) {
  const [name] = /^[^.]+(?=\.test\.ts$)/.exec(file) ?? [];
  if (name === undefined) continue;
  describe(name, async () => {
    await import(`./${name}.test.ts`);
  });
}
