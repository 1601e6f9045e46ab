import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { expect, test } from 'vitest';

const folder = new URL('..', import.meta.url);

test('has no dependencies', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
  expect({ dependencies, peerDependencies }).toEqual({});
});

test('can be bundled without Node APIs and runs without any platform API', async () => {
  const output = await build({
    configFile: false,
    root: folder.pathname,
    logLevel: 'silent',
    resolve: { conditions: ['source', 'browser'] },
    build: { write: false, minify: true, lib: { entry: 'src/index.ts', name: 'odata', formats: ['iife'] } },
  });
  const [bundle] = output as Extract<typeof output, unknown[]>;
  const [chunk, ...others] = bundle?.output ?? [];
  if (chunk?.type !== 'chunk') throw new Error('The build has no chunk.');
  expect(others).toEqual([]);
  expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([]);
  expect(chunk.code).not.toMatch(/__vite-browser-external|\brequire\(|\bprocess\.|node:/);

  const context = createContext({});
  runInContext(chunk.code, context);
  const found = runInContext(
    `const model = { types: { T: { properties: { Name: { type: 'Edm.String' }, Since: { type: 'Edm.Date' } } } } };
     const query = odata.bind(odata.parseQueryOptions("$filter=contains(Name,'%C3%B6')+and+Since+gt+2024-01-01"), model, 'T');
     const rows = [{ Name: 'Höhe', Since: '2024-05-01' }, { Name: 'Höhe', Since: '2023-05-01' }, { Name: 'x' }];
     JSON.stringify([rows.filter(odata.toPredicate(query)), odata.toSql(query, 'sqlite', { mapping: { columns: { Name: 'name', Since: 'since' } } }).where.parameters])`,
    context,
  );
  expect(JSON.parse(found)).toEqual([[{ Name: 'Höhe', Since: '2024-05-01' }], ['ö', '2024-01-01']]);
});
