import { expect, it } from 'vitest';
import { createDoorProgram, listDoors } from './doors.ts';

it('lists every door of a package, of a pattern each file that it stands for', () => {
  const files = ['dist/index.js', 'schemas/keys.schema.json', 'schemas/settings.schema.json', 'schemas/notes.txt'];
  const exports = { '.': { default: './dist/index.js' }, './schemas/*.json': './schemas/*.json' };
  expect(listDoors({ name: '@pets/server', files, manifest: { exports } })).toEqual([
    '@pets/server',
    '@pets/server/schemas/keys.schema.json',
    '@pets/server/schemas/settings.schema.json',
  ]);
});

it('has nothing to open in a package that is a command alone', () => {
  expect(listDoors({ name: 'pets', files: ['dist/main.js'], manifest: {} })).toEqual([]);
});

it('imports modules as they are and JSON by its attribute', () => {
  expect(createDoorProgram(['@pets/server', '@pets/server/openapi.json'])).toBe(
    [
      "import * as door0 from '@pets/server';",
      "import door1 from '@pets/server/openapi.json' with { type: 'json' };",
      "console.log('@pets/server', Object.keys(door0).length);",
      "console.log('@pets/server/openapi.json', Object.keys(door1).length);",
      '',
    ].join('\n'),
  );
});
