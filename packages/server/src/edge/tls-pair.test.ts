import { describe, expect, it } from 'vitest';
import { pem, tlsPair } from '../../test/tls-pairs.ts';
import { findTlsPairFault } from './tls-pair.ts';

const now = Date.now();
const first = tlsPair('first');

describe('findTlsPairFault', () => {
  it('accepts a pair that is valid today', () => expect(findTlsPairFault(first, now)).toBeUndefined());

  it.each([
    ['an invalid certificate', { ...first, certificate: 'nonsense' }, now, 'certificate', 'not a certificate'],
    [
      'a key in place of the certificate',
      { ...first, certificate: first.key },
      now,
      'certificate',
      'not a certificate',
    ],
    ['an expired certificate', first, Date.UTC(2200, 0), 'certificate', 'expired on 21'],
    ['a certificate that is not valid yet', first, Date.UTC(2020, 0), 'certificate', 'not valid before 20'],
    ['an invalid key', { ...first, key: 'nonsense' }, now, 'key', 'not a private key'],
    ['a key with a passphrase', { ...first, key: pem('locked.key') }, now, 'key', 'passphrase'],
    ['the key of another certificate', { ...first, key: tlsPair('second').key }, now, 'key', 'another certificate'],
    ['a pair with a weak key', tlsPair('weak'), now, 'certificate', 'too short'],
  ])('rejects %s', (_case, pair, nowMs, part, words) => {
    const fault = findTlsPairFault(pair, nowMs);
    expect(fault).toMatchObject({ part, detail: expect.stringContaining(words) });
    expect(fault?.detail).not.toContain('nonsense');
  });
});
