import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@rostergate/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addKey } from './key-edits.ts';
import { editKeysFile, parseKeysFile, readKeysFileStore } from './keys-file.ts';

const schema = z.strictObject({
  keys: z.array(z.strictObject({ name: z.string().min(1), owner: z.string(), sha256: z.string().length(64) })),
});
const entryOf = (name: string) => ({ name, owner: 'a', sha256: name.padStart(64, '0') });

let path: string;
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'rostergate-keys-'));
  path = join(folder, 'keys.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const store = () => ({
  path,
  check: (text: string, file: string) => void parseKeysFile(text, file, schema),
});

describe('editKeysFile', () => {
  it('creates a missing file, readable by its owner alone', async () => {
    expect(readKeysFileStore(store())).toEqual({ keys: [] });
    await editKeysFile(store(), (file) => addKey(file, entryOf('a')));
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toEqual(['keys.json']);
    expect(readKeysFileStore(store()).keys).toEqual([entryOf('a')]);
  });

  it('keeps fields for people and editors', async () => {
    const before = { $schema: './x.json', _note: 'mine', keys: [{ ...entryOf('a'), _why: 'b' }] };
    fs.writeFileSync(path, JSON.stringify(before));
    await editKeysFile(store(), (file) => addKey(file, entryOf('b')));
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual({ ...before, keys: [...before.keys, entryOf('b')] });
  });

  it('accepts a file without keys', async () => {
    fs.writeFileSync(path, '{ "_about": "mine" }');
    const lenient = { path, check: () => {} };
    await editKeysFile(lenient, (file) => addKey(file, entryOf('a')));
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual({ _about: 'mine', keys: [entryOf('a')] });
  });

  it('loses none of many concurrent edits', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `k${i}`);
    await Promise.all(names.map((name) => editKeysFile(store(), (file) => addKey(file, entryOf(name)))));
    expect(
      readKeysFileStore(store())
        .keys.map(({ name }) => name)
        .sort(),
    ).toEqual([...names].sort());
  });

  it.each([
    ['is invalid', '{ "keys": 5 }', (file: object) => file],
    ['would become invalid', '{ "keys": [] }', () => ({ keys: [{ name: '' }] })],
  ])('does not change a file that %s', async (_, text, edit) => {
    fs.writeFileSync(path, text);
    await expect(editKeysFile(store(), edit as never)).rejects.toThrow(ConfigError);
    expect(fs.readFileSync(path, 'utf8')).toBe(text);
    expect(fs.readdirSync(folder)).toEqual(['keys.json']);
  });
});
