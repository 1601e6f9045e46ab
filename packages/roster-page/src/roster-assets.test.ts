import { readFile } from 'node:fs/promises';
import { type AssetSource, createAssetReader } from '@rostergate/pages';
import { describe, expect, it } from 'vitest';
import { panelAssets, rosterAssets } from './roster-assets.ts';

const scripts = {
  'roster.js': rosterAssets['roster.js'] as AssetSource,
  'roster-person.js': panelAssets['roster-person.js'] as AssetSource,
};
const read = createAssetReader(scripts);
const fileName = (part: URL) => String(part.pathname.split('/').at(-1));

describe.each(Object.keys(scripts) as (keyof typeof scripts)[])('%s', (name) => {
  it('is one module that declares no top-level name twice', async () => {
    const text = Buffer.from((await read(name))?.bytes ?? '').toString();
    const declared = [...text.matchAll(/^(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, found]) => found);
    const names = [...declared, ...(scripts[name].imports?.names ?? [])];
    expect(declared.length).toBeGreaterThan(3);
    expect(names.filter((found, i) => names.indexOf(found) !== i)).toEqual([]);
    expect(declared).toEqual(expect.arrayContaining([...(scripts[name].exports ?? [])]));
    expect(text.match(/^import .*/gm) ?? []).toHaveLength(name === 'roster.js' ? 0 : 1);
    expect(text.match(/^export .*/gm)).toHaveLength(1);
  });
});

it('roster.js contains every part that one of its parts imports', async () => {
  const files = scripts['roster.js'].parts.map(fileName);
  const wanted = (await importsOf(scripts['roster.js'])).map(({ file }) => file);
  expect(wanted.length).toBeGreaterThan(3);
  expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
});

it('roster-person.js contains every part that one of its parts imports, or imports its names from roster.js', async () => {
  const [own, other] = [scripts['roster-person.js'], scripts['roster.js']].map(({ parts }) => parts.map(fileName));
  const found = (await importsOf(scripts['roster-person.js'])).filter(({ file }) => !own?.includes(file));
  expect(found.filter(({ file }) => !other?.includes(file))).toEqual([]);
  const used = new Set(found.flatMap(({ names }) => names));
  expect([...used].sort()).toEqual([...(scripts['roster-person.js'].imports?.names ?? [])].sort());
});

/** The imports of the parts of a script. */
async function importsOf({ parts }: AssetSource) {
  const texts = await Promise.all(parts.map((part) => readFile(part, 'utf8')));
  return texts.flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '\.[^']*\/([^/']+)'/g)].map(([, names, file]) => ({
      file: String(file),
      names: String(names)
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    })),
  );
}
