import { readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { defaultLimits, type Limits, odataErrors } from '../src/index.ts';
import { createSupportTable } from './support.ts';

const file = new URL('../README.md', import.meta.url);
const readme = await readFile(file, 'utf8');

test('the quick example of the README prints its comments', async () => {
  const [, code = ''] = /<!-- example -->\s+```ts\n(.*?)```/s.exec(readme) ?? [];
  const expected = [...code.matchAll(/\/\/ → (.*)/g)].map(([, text]) => text);
  expect(expected.length).toBeGreaterThan(3);
  const index = new URL('../src/index.ts', import.meta.url).href;
  const script = stripTypeScriptTypes(code).replace("'@rostergate/odata'", `'${index}'`);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script)}`);
    const printed = log.mock.calls.map(([value]) => (typeof value === 'string' ? value : inspect(value)));
    expect(printed).toEqual(expected);
  } finally {
    log.mockRestore();
  }
});

const bounds: Readonly<Record<keyof Limits, string>> = {
  lengthMax: 'characters of the query',
  depthMax: 'nesting of parentheses, calls, lambdas, lists and chained arithmetic',
  nodesMax: 'operators, calls, path segments and literals of all options',
  listItemsMax: 'items of a list',
  lambdaDepthMax: 'nesting of `any` and `all`',
  expandDepthMax: 'nesting of `$expand`; 1 allows no nesting',
  itemsMax: 'items of a `$select`, `$orderby` or `$expand`',
  topMax: '`$top`',
};

test.each([
  ['support', createSupportTable()],
  [
    'errors',
    table([
      ['code', 'status', ''],
      ...Object.entries(odataErrors).map(([code, { status, title }]) => [`\`${code}\``, `${status}`, title]),
    ]),
  ],
  [
    'limits',
    table([
      ['limit', 'default', 'bounds'],
      ...Object.entries(defaultLimits).map(([name, value]) => [
        `\`${name}\``,
        value.toLocaleString('en-US'),
        bounds[name as keyof Limits],
      ]),
    ]),
  ],
])('the table of %s in the README matches the code', async (name, wanted) => {
  const part = new RegExp(`<!-- ${name} -->\n(.*?)<!-- /${name} -->`, 's');
  const content = `\n${wanted}\n`;
  if (process.env.UPDATE_README !== undefined) {
    const now = await readFile(file, 'utf8');
    await writeFile(
      file,
      now.replace(part, () => `<!-- ${name} -->\n${content}<!-- /${name} -->`),
    );
  } else expect(part.exec(readme)?.[1]).toBe(content);
});

function table([head, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head ?? []), line((head ?? []).map(() => '---')), ...rows.map(line)].join('');
}
