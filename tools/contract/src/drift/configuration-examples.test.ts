import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { rootFolder } from '../workspace.ts';

const read = (file: string) => readFileSync(join(rootFolder, file), 'utf8');
const page = read('docs/configuration.md');

/** Returns the examples of the page, each with its file. */
function examplesOf(text: string): { file: string; value: Record<string, unknown> }[] {
  return text.split(/^(?=## |### The proxy)/m).flatMap((part) => {
    const [heading = ''] = part.split('\n', 1);
    const file = heading.startsWith('###') ? 'proxy-keys' : heading.replace('## ', '').replace('.json', '');
    const blocks = [...part.matchAll(/```json\n([\s\S]*?)```/g)];
    return blocks.map(([, block = '']) => ({ file, value: wholeFile(file, JSON.parse(block)) }));
  });
}

/** Returns the file that contains a part of an endpoint; policies by name are a part of the file itself. */
function wholeFile(file: string, value: Record<string, unknown>): Record<string, unknown> {
  const isPartOfFile = 'policies' in value && !Array.isArray(value.policies);
  if (file !== 'endpoints' || 'endpoints' in value || isPartOfFile) return value;
  return { endpoints: [{ path: '/example', service: 'http', ...value }] };
}

function loadSchema(file: string): { readonly properties: Record<string, object> } {
  const app = file.includes('proxy') ? 'staff-proxy' : 'gateway';
  return JSON.parse(read(`apps/${app}/schemas/${file}.schema.json`));
}

/** Returns the schema errors of the examples. */
function findRefused(text: string, schemaOf = loadSchema): string[] {
  return examplesOf(text).flatMap(({ file, value }) => {
    const ajv = new Ajv({ allowUnionTypes: true });
    formats.default(ajv);
    return ajv.validate(schemaOf(file), value) ? [] : [`${file}: ${ajv.errorsText()}`];
  });
}

test('pair published schema ⇄ examples: every example of the page on the configuration is valid', () => {
  expect(examplesOf(page).length).toBeGreaterThan(30);
  expect(new Set(examplesOf(page).map(({ file }) => file))).toEqual(
    new Set(['settings', 'endpoints', 'keys', 'staff-proxy', 'proxy-keys']),
  );
  expect(findRefused(page)).toEqual([]);
});

test('mutation published schema ⇄ examples: a field is misspelt in an example', () => {
  expect(findRefused(page.replace('{ "drain_ms":', '{ "drain_time":'))).toEqual([
    'settings: data must NOT have additional properties',
  ]);
});

test('mutation published schema ⇄ examples: a field gets another type only in a schema', () => {
  const changed = (file: string) => {
    const schema = loadSchema(file);
    return { ...schema, properties: { ...schema.properties, drain_ms: { type: 'string' } } };
  };
  expect(findRefused(page, changed)).toEqual(['settings: data/drain_ms must be string']);
});
