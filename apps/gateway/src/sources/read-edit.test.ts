import { expect, it } from 'vitest';
import { createTextReader } from '../configuration.ts';
import { describeBuiltInServices } from '../services/index.ts';
import { readEdit } from './read-edit.ts';
import type { Edit, EditVerdict } from './try-edit.ts';

const endpoints = [
  { path: '/own', service: 'mine', requires_auth: true, api_keys: './own.keys' },
  { path: '/off', service: 'mine', requires_auth: true, api_keys: './off.keys', enabled: false },
  { path: '/pets', service: 'http', contract: { document: 'pets.json', operation_id: 'getPets' } },
];
const withoutServices = { 'settings.json': '{}', 'endpoints.json': '{ "endpoints": [] }' };
const withServices = {
  'settings.json': '{ "api_keys": "./all.keys", "keys_file": "ring.json" }',
  'endpoints.json': JSON.stringify({ endpoints }),
  'all.keys': 'sha256:5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
  'own.keys': 'sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
  'ring.json': '{ "keys": [] }',
  'pets.json': '{}',
  'services/mine.ts': "import './lib/part.ts';",
  'services/lib/part.ts': '',
};

/** Reads the files; returns the result and the checked edits. */
async function read(
  files: Readonly<Record<string, string>>,
  verdict: EditVerdict = { faults: [], rejected: new Map() },
) {
  const names = Object.keys(files).flatMap((name) => /^services\/([^/]+)$/.exec(name)?.[1] ?? []);
  const tried: Edit[] = [];
  const result = await readEdit({
    settingsFile: '/gw/settings.json',
    env: {},
    reader: createTextReader(
      (path) => files[path.replace('/gw/', '')],
      (path) => (path === '/gw/services' && names.length > 0 ? names : undefined),
    ),
    createServices: describeBuiltInServices,
    async tryEdit(edit) {
      tried.push(edit);
      return verdict;
    },
  });
  return { result, tried };
}

it('checks no edit without services', async () => {
  const { result, tried } = await read(withoutServices);
  expect(result).toHaveProperty('configuration');
  expect(tried).toEqual([]);
});

it('passes every file of the edit to the trial, and loads no code', async () => {
  const { result, tried } = await read(withServices);
  expect(result).toEqual({ load: expect.any(Function) });
  const files = Object.keys(withServices).map((name) => `/gw/${name}`);
  expect([...(tried[0]?.states.keys() ?? [])].sort()).toEqual([...files, '/gw/services'].sort());
});

it('returns the faults of the trial and of rejected modules, each once', async () => {
  const fault = { where: '/gw/endpoints.json', field: '', detail: 'It is not good.' };
  const module = { path: '/gw/services/mine.ts', line: 2, column: 3, field: '', detail: 'It does not load.' };
  const reported = { where: '/gw/services/mine.ts:2:3', field: '', detail: 'It does not load.' };
  const place = { file: '/gw/services/mine.ts', line: 2, column: 3 };
  const rejected = new Map([['/gw/services/mine.ts', [module]]]);
  const { result } = await read(withServices, { faults: [fault], rejected });
  expect(result).toEqual({ faults: [fault, { ...reported, place }] });
  const again = await read(withServices, { faults: [fault, { ...reported, place }], rejected });
  expect(again.result).toEqual(result);
});

it('rejects an edit with an unreadable file although the trial accepts it', async () => {
  const { result } = await read({ ...withServices, 'settings.json': '{' });
  expect(result).toMatchObject({ faults: [{ where: expect.stringContaining('/gw/settings.json') }] });
});
