import { readFile } from 'node:fs/promises';
import { type AssetSource, createAssetReader } from '@rostergate/pages';
import { expect, it } from 'vitest';
import { rosterAssets } from './roster-assets.ts';

it('joins its script to one module that imports nothing and declares no top-level name twice', async () => {
  const text = Buffer.from((await createAssetReader(rosterAssets)('roster.js'))?.bytes ?? '').toString();
  expect(text).not.toMatch(/^(import|export)\b/m);
  const names = [...text.matchAll(/^(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, found]) => found);
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((found, i) => names.indexOf(found) !== i)).toEqual([]);
});

it('contains every part that one of its parts imports', async () => {
  const { parts } = rosterAssets['roster.js'] as AssetSource;
  const files = parts.map((part) => part.pathname.split('/').at(-1));
  const texts = await Promise.all(parts.map((part) => readFile(part, 'utf8')));
  const wanted = texts.flatMap((text) => [...text.matchAll(/from '\.[^']*\/([^/']+)'/g)].map(([, file]) => file));
  expect(wanted.length).toBeGreaterThan(3);
  expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
});
