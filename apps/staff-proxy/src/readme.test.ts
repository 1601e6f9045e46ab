import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands } from './command/commands.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the README lists every command and no other', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(commands.map(({ name }) => name));
});
