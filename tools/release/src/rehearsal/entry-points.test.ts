import { expect, it } from 'vitest';
import { createImportProgram, listEntryPoints } from './entry-points.ts';

it('lists every entry point of a package, and each file of a pattern', () => {
  const files = ['dist/index.js', 'schemas/keys.schema.json', 'schemas/settings.schema.json', 'schemas/notes.txt'];
  const exports = { '.': { default: './dist/index.js' }, './schemas/*.json': './schemas/*.json' };
  expect(listEntryPoints({ name: '@pets/server', files, manifest: { exports } })).toEqual([
    '@pets/server',
    '@pets/server/schemas/keys.schema.json',
    '@pets/server/schemas/settings.schema.json',
  ]);
});

it('is empty for a package with only a command', () => {
  expect(listEntryPoints({ name: 'pets', files: ['dist/main.js'], manifest: {} })).toEqual([]);
});

it('imports modules, and JSON with its attribute', () => {
  expect(createImportProgram(['@pets/server', '@pets/server/openapi.json'])).toBe(
    [
      "import * as entry0 from '@pets/server';",
      "import entry1 from '@pets/server/openapi.json' with { type: 'json' };",
      "console.log('@pets/server', Object.keys(entry0).length);",
      "console.log('@pets/server/openapi.json', Object.keys(entry1).length);",
      '',
    ].join('\n'),
  );
});
