import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { blockAssets, createAssetReader, pageAssets } from './page-asset.ts';

const scripts = {
  'blocks.js': { parts: blockAssets.scripts },
  'docs.js': pageAssets.docs['docs.js'],
  'redoc.js': pageAssets.redoc['redoc.js'],
};
const read = createAssetReader(scripts);

describe.each(Object.keys(scripts))('%s', (name) => {
  it('is one module without imports and duplicate top-level names', async () => {
    const text = Buffer.from((await read(name))?.bytes ?? '').toString();
    expect(text).not.toMatch(/^(import|export)\b/m);
    const names = [...text.matchAll(/^(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, found]) => found);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((found, i) => names.indexOf(found) !== i)).toEqual([]);
  });

  it('contains every part that its parts import', async () => {
    const parts = scripts[name as keyof typeof scripts].parts;
    const files = parts.map((part) => part.pathname.split('/').at(-1));
    const texts = await Promise.all(parts.map((part) => readFile(part, 'utf8')));
    const wanted = texts.flatMap((text) => [...text.matchAll(/from '\.\/([^']+)'/g)].map(([, file]) => file));
    expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
  });
});

it('returns undefined for other names', () => {
  for (const name of ['', '__proto__', 'toString', '../page-asset.ts']) expect(read(name)).toBeUndefined();
});
