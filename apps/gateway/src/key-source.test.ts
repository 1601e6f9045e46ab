import { keyDigest } from '@rostergate/runtime/keys';
import { describe, expect, it } from 'vitest';
import { readKeySource } from './key-source.ts';

const files = new Map([
  ['/etc/gw/keys.txt', '# ours\nalpha\n\n sha256:0000000000000000000000000000000000000000000000000000000000000001 \n'],
  ['/etc/gw/ring', 'beta\n'],
]);
const digestsOf = (text: string) =>
  readKeySource(text, '/etc/gw', (path) => files.get(path)).map((record) => record.sha256);

describe('readKeySource', () => {
  it('reads a list, trimmed, of keys and digests', () => {
    expect(digestsOf(` alpha , sha256:${'0'.repeat(63)}1,`)).toEqual([keyDigest('alpha'), `${'0'.repeat(63)}1`]);
  });

  it('reads a file beside settings.json, one key a line', () => {
    expect(digestsOf('keys.txt')).toEqual([keyDigest('alpha'), `${'0'.repeat(63)}1`]);
    expect(digestsOf('./keys.txt')).toEqual(digestsOf('/etc/gw/keys.txt'));
    expect(digestsOf('ring')).toEqual([keyDigest('beta')]);
  });

  it('takes a slash within a list for a part of a key', () => {
    expect(digestsOf('al/pha,beta')).toEqual([keyDigest('al/pha'), keyDigest('beta')]);
  });

  it('takes what is no file for a key', () => {
    expect(digestsOf('alpha')).toEqual([keyDigest('alpha')]);
    expect(digestsOf('')).toEqual([]);
  });

  it.each(['./kyes.txt', '/run/secrets/keys', '../keys', 'kyes.txt', '~/keys', 'secrets/keys'])(
    'never makes a password of the mistyped path %s',
    (text) => {
      expect(() => digestsOf(text)).toThrow('no such file');
    },
  );
});
