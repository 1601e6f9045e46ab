import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as odata from './index.ts';

test('exports exactly these names', () => {
  expect(Object.keys(odata).sort()).toMatchInlineSnapshot(`
    [
      "ODataError",
      "afterKeys",
      "bind",
      "canonicalDate",
      "canonicalDateTime",
      "canonicalTime",
      "createCsdl",
      "defaultLimits",
      "odataErrors",
      "orderValues",
      "parseQueryOptions",
      "sqliteFunctions",
      "toComparator",
      "toPredicate",
      "toSql",
      "toSqlKeys",
    ]
  `);
});

test('documents every export', async () => {
  const index = await readFile(new URL('index.ts', import.meta.url), 'utf8');
  const faults: string[] = [];
  for (const [, names, file] of index.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '\.\/(.*?)';/gms)) {
    const lines = (await readFile(new URL(file!, import.meta.url), 'utf8')).split('\n');
    for (const [i, line] of lines.entries()) {
      const name = /^export (?:interface|type|const|function|class) (\w+)/.exec(line)?.[1];
      const isExported = name !== undefined && (names === '*' || new RegExp(`\\b${name}\\b`).test(names!));
      if (isExported && !lines[i - 1]?.trim().endsWith('*/')) faults.push(`${file}: ${name}`);
    }
  }
  expect(faults).toEqual([]);
});
