import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfigurationTemplate } from './configuration-template.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'rostergate-template-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const schemaIn = (files: readonly { path: string; text: string }[], path: string) =>
  JSON.parse(files.find((file) => file.path === path)?.text ?? '{}').$schema;

it('refers to the schemas of a package installed in the folder or above', () => {
  const schemas = join(folder, 'node_modules/rostergate/schemas');
  fs.mkdirSync(schemas, { recursive: true });
  fs.writeFileSync(join(schemas, 'settings.schema.json'), '{}');
  const { files, keysSchema } = readConfigurationTemplate(join(folder, 'gateway'));
  expect(schemaIn(files, 'settings.json')).toBe('../node_modules/rostergate/schemas/settings.schema.json');
  expect(keysSchema).toBe('../node_modules/rostergate/schemas/keys.schema.json');
  expect(files.map(({ path }) => path)).toEqual(['settings.json', 'endpoints.json', 'services/hello.ts']);
  expect(readConfigurationTemplate(folder).keysSchema).toBe('./node_modules/rostergate/schemas/keys.schema.json');
});

it('contains copies of the schemas if the package is not installed', () => {
  const { files, keysSchema } = readConfigurationTemplate(folder);
  expect(schemaIn(files, 'endpoints.json')).toBe('./.rostergate/endpoints.schema.json');
  const copies = files.filter(({ path }) => path.startsWith('.rostergate/'));
  expect(copies.map(({ path }) => `./${path}`)).toContain(keysSchema);
  for (const { text } of copies) expect(JSON.parse(text).$schema).toContain('json-schema.org');
});
