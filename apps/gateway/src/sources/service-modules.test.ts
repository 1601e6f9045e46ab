import { expect, it } from 'vitest';
import { readModuleGraph } from './service-modules.ts';

const files = {
  '/s/a.ts': "import { b } from './lib/b.ts';\nimport { z } from 'rostergate';\nimport '../outside.ts';",
  '/s/lib/b.ts': "export * from './c.ts';\nconst late = () => import('./d.mjs');",
  '/s/lib/c.ts': "import { b } from './b.ts';",
  '/s/lib/d.mjs': "import data from './data.json' with { type: 'json' };",
  '/s/lib/data.json': '{}',
  '/s/other.ts': "import './lib/gone.ts';",
};
const read = (changed: Partial<typeof files> = {}) => {
  const texts: Record<string, string> = { ...files, ...changed };
  return readModuleGraph(['/s/a.ts', '/s/other.ts'], '/s', async (path) => texts[path]);
};

it('contains every module of the folder that is imported in any form, including cycles', async () => {
  expect([...(await read()).keys()].sort()).toEqual(Object.keys(files).sort());
});

it.each([
  ['/s/lib/c.ts', ['/s/a.ts', '/s/lib/b.ts', '/s/lib/c.ts']],
  ['/s/lib/data.json', ['/s/a.ts', '/s/lib/b.ts', '/s/lib/c.ts', '/s/lib/d.mjs', '/s/lib/data.json']],
  ['/s/other.ts', ['/s/other.ts']],
] as const)('changes the version of exactly the modules that import %s when it changes', async (path, reaching) => {
  const before = await read();
  const after = await read({ [path]: `${files[path]} ` });
  const changed = [...after.values()].filter(({ path, version }) => version !== before.get(path)?.version);
  expect(changed.map(({ path }) => path).sort()).toEqual(reaching);
  expect((await read()).get(path)?.version, 'the same again').toBe(before.get(path)?.version);
});
