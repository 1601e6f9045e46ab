import { describe, expect, it } from 'vitest';
import { KeyEntriesError, parseKeyEntries, parseKeyFile } from './key-entries.ts';
import { createKeyring, keyDigest } from './keyring.ts';

describe('parseKeyEntries', () => {
  it('parses trimmed keys and digests, and names them by their digest', () => {
    const records = parseKeyEntries(` alpha , sha256:${keyDigest('beta').toUpperCase()},,`);
    expect(records.map((r) => r.sha256)).toEqual([keyDigest('alpha'), keyDigest('beta')]);
    expect(records[0]).toEqual({
      name: keyDigest('alpha').slice(0, 8),
      owner: keyDigest('alpha').slice(0, 8),
      sha256: keyDigest('alpha'),
      scopes: [],
    });
    expect(createKeyring(records).find('beta')).toBe(records[1]);
  });

  it('returns one record for a key and its digest', () => {
    expect(parseKeyEntries(`alpha, sha256:${keyDigest('alpha')}, alpha`)).toHaveLength(1);
  });

  it('returns no keys for an empty text', () => {
    expect(parseKeyEntries(' , ')).toEqual([]);
  });

  it.each([
    ['a truncated digest', 'ok, sha256:abcd', 'Entry 2 begins with sha256:'],
    ['a key with a space inside', 'hush hush', 'Entry 1 is not a key'],
    ['a key that is invalid in a header', 'hüsh', 'Entry 1 is not a key'],
  ])('rejects %s and does not repeat it', (_case, text, message) => {
    expect(() => parseKeyEntries(text)).toThrow(KeyEntriesError);
    expect(() => parseKeyEntries(text)).toThrow(message);
    expect(() => parseKeyEntries(text)).not.toThrow(/abcd|hush|hüsh/);
  });
});

describe('parseKeyFile', () => {
  it('parses one entry per line, with comments, blank lines and any line ending', () => {
    const text = `\uFEFF# ours\r\nalpha\r\n\r\n  # theirs\nsha256:${keyDigest('beta')}\n#last`;
    expect(parseKeyFile(text).map((r) => r.sha256)).toEqual([keyDigest('alpha'), keyDigest('beta')]);
  });

  it('keeps a # inside a key', () => {
    expect(parseKeyFile('al#pha')[0]?.sha256).toBe(keyDigest('al#pha'));
  });

  it('names the line of an invalid entry', () => {
    expect(() => parseKeyFile('# list\nalpha\nsha256:1')).toThrow('Line 3');
    expect(() => parseKeyFile('alpha,beta')).toThrow('Line 1 is not a key');
  });
});
