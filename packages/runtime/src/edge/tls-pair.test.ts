import { describe, expect, it } from 'vitest';
import { pem, tlsPair } from '../../test/tls-pairs.ts';
import { findTlsPairFault } from './tls-pair.ts';

const now = Date.now();
const first = tlsPair('first');

describe('findTlsPairFault', () => {
  it('finds none in a pair that is good today', () => expect(findTlsPairFault(first, now)).toBeUndefined());

  it.each([
    ['a certificate that is none', { ...first, certificate: 'nonsense' }, now, 'certificate', 'no certificate'],
    ['a key in place of the certificate', { ...first, certificate: first.key }, now, 'certificate', 'no certificate'],
    ['a certificate that has expired', first, Date.UTC(2200, 0), 'certificate', 'expired on 21'],
    ['a certificate of the future', first, Date.UTC(2020, 0), 'certificate', 'is good from 20'],
    ['a key that is none', { ...first, key: 'nonsense' }, now, 'key', 'no private key'],
    ['a key with a passphrase', { ...first, key: pem('locked.key') }, now, 'key', 'passphrase'],
    ['the key of another certificate', { ...first, key: tlsPair('second').key }, now, 'key', 'another certificate'],
    ['a pair too weak to be served', tlsPair('weak'), now, 'certificate', 'too short'],
  ])('tells %s in words', (_case, pair, nowMs, part, words) => {
    const fault = findTlsPairFault(pair, nowMs);
    expect(fault).toMatchObject({ part, detail: expect.stringContaining(words) });
    expect(fault?.detail).not.toContain('nonsense');
  });
});
