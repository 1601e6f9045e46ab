import { readFileSync } from 'node:fs';
import { describeField, type FieldSchemaObject } from '@rostergate/config/command';
import { expect, it } from 'vitest';
import { commands } from './command/commands.ts';
import { settingsSchema } from './settings.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('has every setting of the schema', () => {
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const json = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as FieldSchemaObject;
    const { type, bounds, description, default: value } = describeField(json);
    const taken = [type, bounds].filter((part) => part !== '').join(', ');
    return `| \`${name}\` | ${taken} | ${value === undefined ? '' : `\`${value.replaceAll('"', '')}\``} | ${description} |`;
  });
  const [, table] = /<!-- settings -->\n.*\n.*\n([\s\S]*?)\n<!-- \/settings -->/.exec(readme) ?? [];
  expect(table).toBe(rows.join('\n'));
});

it.each(commands.map(({ name }) => name))('has the command %s', (name) => {
  expect(readme).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'));
});
