import { keyDigest } from '@rostergate/access/keys';
import { ConfigError } from '@rostergate/config';
import { describe, expect, it } from 'vitest';
import { readKeysFile } from './read-keys.ts';

const ops = { name: 'ops', owner: 'team-a', sha256: keyDigest('ops-key') };
const read = (...keys: object[]) => readKeysFile(JSON.stringify({ keys }), 'keys.json');

function faultsOf(text: string): string[] {
  try {
    readKeysFile(text, 'keys.json');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ where, field, detail }) => `${where} ${field} ${detail}`);
  }
  return [];
}

describe('readKeysFile', () => {
  it('reads a minimal key, without scopes and expiry', () => {
    expect(read(ops).records).toEqual([{ ...ops, scopes: [] }]);
  });

  it('reads every field, with times in any time zone', () => {
    const entry = {
      ...ops,
      prefix: 'rg_live_7Qx',
      scopes: ['a', 'b'],
      created_at: '2026-01-01T00:00:00Z',
      expires_at: '2026-02-01T00:00:00.000+01:00',
      revoked_at: null,
    };
    const { entries, records } = read(entry);
    expect(entries).toEqual([entry]);
    expect(records).toEqual([{ ...ops, scopes: ['a', 'b'], expiresAtMs: Date.UTC(2026, 0, 31, 23) }]);
    expect(read({ ...ops, revoked_at: '2026-01-01T00:00:00Z' }).records[0]?.revokedAtMs).toBe(Date.UTC(2026, 0, 1));
  });

  it('ignores notes', () => {
    expect(faultsOf(JSON.stringify({ $schema: 'x', _note: 'ours', keys: [{ ...ops, _why: 'tests' }] }))).toEqual([]);
  });

  it('reports all faults at once, each with its position, and never a digest', () => {
    const text = JSON.stringify(
      { keys: [ops, { ...ops, owner: 'b' }, { name: 'x', sha256: 'FF', scope: [] }] },
      null,
      1,
    );
    const faults = faultsOf(text);
    expect(faults.join('\n')).not.toContain(ops.sha256);
    expect(faults).toEqual([
      expect.stringMatching(/^keys\.json:\d+:\d+ keys\[2\]\.owner It is required/),
      expect.stringMatching(/^keys\.json:\d+:\d+ keys\[2\]\.sha256 /),
      expect.stringMatching(/^keys\.json:\d+:\d+ keys\[2\]\.scope There is no such field\. Did you mean scopes\?/),
    ]);
  });

  it('does not repeat an invalid digest, which may be the key itself', () => {
    const [fault] = faultsOf(JSON.stringify({ keys: [{ ...ops, sha256: 'a-plain-key' }] }));
    expect(fault).toMatch(/^keys\.json:1:\d+ keys\[0\]\.sha256 It must be 64 lower-case hexadecimal digits\./);
    expect(fault).not.toContain('a-plain-key');
  });

  it('rejects two keys with one name, and one key with two names', () => {
    expect(
      faultsOf(JSON.stringify({ keys: [ops, { ...ops, sha256: keyDigest('b') }, { ...ops, name: 'b' }] })),
    ).toEqual([
      expect.stringMatching(/^keys\.json:1:\d+ keys\[1\]\.name keys\[0\] has the same name/),
      expect.stringMatching(/^keys\.json:1:\d+ keys\[2\]\.sha256 keys\[0\] is the same key/),
    ]);
  });

  it.each(['', '{', '[]', '{}', '{ "keys": {} }', '{ "keys": [null] }', '\uFEFF{ "keys": [] }'])(
    'rejects %j',
    (text) => {
      expect(faultsOf(text).length).toBeGreaterThan(0);
    },
  );
});
