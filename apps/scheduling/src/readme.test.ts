import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands } from './command/commands.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it.each(commands.map(({ name }) => name))('has the command %s', (name) => {
  expect(readme).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'));
});
