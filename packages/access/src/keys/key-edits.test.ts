import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@rostergate/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addKey, editKeysFile, keyStateAt, readKeysFileStore, revokeKey, rotateKey } from './key-edits.ts';
import { parseKeysFile } from './keys-file.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');
const day = 86_400_000;
const at = (days: number) => new Date(nowMs + days * day).toISOString();
const ops = { name: 'ops', owner: 'a', sha256: 'x', scopes: ['r'], expires_at: null, revoked_at: null, _note: 'mine' };
const file = { _about: 'mine', keys: [ops] };
const rotate = (from: typeof file | { keys: { name: string }[] }, name = 'ops') =>
  rotateKey(from, { name, nowMs, overlapMs: day, successor: { sha256: 'y', expires_at: null } });

it('returns the state of a key at a time', () => {
  const stateOf = (times: object) => keyStateAt({ name: 'x', ...times }, nowMs);
  expect(stateOf({})).toBe('active');
  expect(stateOf({ expires_at: at(1), revoked_at: null })).toBe('active');
  expect(stateOf({ expires_at: at(0) })).toBe('expired');
  expect(stateOf({ expires_at: at(-2), revoked_at: at(-1) })).toBe('revoked');
});

describe('adding a key', () => {
  it('keeps everything else, unknown fields included', () => {
    expect(addKey(file, { name: 'new' })).toEqual({ _about: 'mine', keys: [ops, { name: 'new' }] });
  });

  it('rejects a name that is taken', () => {
    expect(() => addKey(file, { name: 'ops' })).toThrow('A key named ops already exists');
  });
});

describe('revoking a key', () => {
  it('sets the time and changes nothing else', () => {
    expect(revokeKey(file, 'ops', nowMs).keys).toEqual([{ ...ops, revoked_at: at(0) }]);
  });

  it('keeps the time of a key that is already revoked', () => {
    const revoked = revokeKey(file, 'ops', nowMs);
    expect(revokeKey(revoked, 'ops', nowMs + day)).toBe(revoked);
  });

  it('suggests a similar name and never repeats the given one', () => {
    expect(() => revokeKey(file, 'opps', nowMs)).toThrow('There is no key of that name. Did you mean ops?');
    expect(() => revokeKey({ keys: [] }, 'canary', nowMs)).toThrow('There are no keys yet.');
  });
});

describe('rotating a key', () => {
  it('copies all but digest and times to the successor, and sets the old key to expire after the overlap', () => {
    const { file: rotated, entry } = rotate(file);
    expect(entry).toEqual({ ...ops, name: 'ops-2', sha256: 'y' });
    expect(rotated).toEqual({ _about: 'mine', keys: [{ ...ops, expires_at: at(1) }, entry] });
  });

  it('never postpones the expiry of the old key', () => {
    const soon = { keys: [{ ...ops, expires_at: new Date(nowMs + 1_000).toISOString() }] };
    expect(rotate(soon).file.keys[0]).toEqual(soon.keys[0]);
  });

  it.each([
    [['ops'], 'ops', 'ops-2'],
    [['ops', 'ops-2'], 'ops-2', 'ops-3'],
    [['ops', 'ops-2'], 'ops', 'ops-3'],
    [['a-1'], 'a-1', 'a-1-2'],
    [['a-0'], 'a-0', 'a-0-2'],
    [['a-99'], 'a-99', 'a-100'],
  ])('names a successor with the next free number: with %j, %s becomes %s', (names, name, next) => {
    expect(rotate({ keys: names.map((each) => ({ name: each })) }, name).entry.name).toBe(next);
  });

  it.each([
    ['revoked', { revoked_at: at(-1) }],
    ['expired', { expires_at: at(-1) }],
  ])('rejects a key that is %s', (state, times) => {
    expect(() => rotate({ keys: [{ ...ops, ...times }] })).toThrow(`is ${state}`);
  });
});

describe('editKeysFile', () => {
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
