import { describe, expect, it } from 'vitest';
import { addressKey, createAddressKey } from './address-key.ts';

const from = (remoteAddress: string | undefined, list?: string, forwarded?: string) => ({
  headers: {
    ...(list === undefined ? {} : { 'x-forwarded-for': list }),
    ...(forwarded === undefined ? {} : { forwarded }),
  },
  socket: { remoteAddress },
});

describe('addressKey', () => {
  it.each([
    ['IPv4 as it is', '203.0.113.7', '203.0.113.7'],
    ['IPv4 mapped into IPv6 as IPv4', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the same in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
    ['the same written out', '0:0:0:0:0:FFFF:203.0.113.7', '203.0.113.7'],
    ['IPv6 by its /56', '2001:db8:1:2ab:3::4', '2001:db8:1:200::/56'],
    ['another spelling of the same prefix', '2001:0DB8:0001:02ff:ffff:ffff:ffff:ffff', '2001:db8:1:200::/56'],
    ['a link-local address with its zone', 'fe80::1%eth0', 'fe80::/56'],
    ['a connection that is already gone', undefined, 'unknown'],
  ])('names %s', (_case, remoteAddress, key) => {
    expect(addressKey(from(remoteAddress))).toBe(key);
  });

  it('believes no forwarded header by default', () => {
    expect(addressKey(from('203.0.113.7', '198.51.100.1', 'for=198.51.100.1'))).toBe('203.0.113.7');
  });

  it('gives the same answer throughout a connection', () => {
    const req = from('2001:db8::1');
    expect([addressKey(req), addressKey(req)]).toEqual(['2001:db8::/56', '2001:db8::/56']);
  });
});

describe('createAddressKey with trusted proxies', () => {
  const keyOf = createAddressKey({ trustedProxies: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'] });

  it.each([
    ['the entry a trusted proxy has added', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'the nearest untrusted of a chain, whatever stands before it',
      '10.0.0.1',
      '6.6.6.6, 198.51.100.1, 10.2.3.4',
      '198.51.100.1',
    ],
    ['the peer, when it is not trusted', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['the outermost when all are trusted', '10.0.0.1', '10.9.9.9, 192.0.2.1', '10.9.9.9'],
    ['the last good one before nonsense', '10.0.0.1', 'unknown, 10.2.3.4', '10.2.3.4'],
    ['an entry with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 entry with brackets and port', 'fd00::1', '[2001:db8::1]:443', '2001:db8::/56'],
    ['a trusted peer that is mapped into IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the trusted peer itself when it forwards for nobody', '10.0.0.1', undefined, '10.0.0.1'],
    ['an address mapped into IPv6 as IPv4', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['an address without its zone', '10.0.0.1', 'fe80::1%whatever', 'fe80::/56'],
    ['an address in quotes', '10.0.0.1', '"[2001:db8::1]:443"', '2001:db8::/56'],
    ['the peer, when the nearest entry is nonsense', '10.0.0.1', '6.6.6.6, 1.2.3', '10.0.0.1'],
    ['the peer, when the header is empty', '10.0.0.1', '', '10.0.0.1'],
    ['no number that only some read as an address', '10.0.0.1', '010.0.0.1', '10.0.0.1'],
  ])('takes %s', (_case, peer, forwarded, key) => {
    expect(keyOf(from(peer, forwarded))).toBe(key);
  });

  it('gains a caller nothing to write entries of its own', () => {
    for (let i = 0; i < 1_000; i++) {
      expect(keyOf(from('10.0.0.1', `${'1.1.1.1, '.repeat(i % 200)}${i}.0.0.1, 198.51.100.1`))).toBe('198.51.100.1');
    }
  });

  it('walks through as many trusted proxies as there are', () => {
    const proxies = Array.from({ length: 30 }, (_, i) => `10.0.1.${i}`).join(', ');
    expect(keyOf(from('10.0.0.1', `6.6.6.6, 198.51.100.1, ${proxies}`))).toBe('198.51.100.1');
  });

  it.each([
    ['the caller', 'for=198.51.100.1;proto=https', '198.51.100.1'],
    ['the nearest untrusted of a chain', 'for=6.6.6.6, for=198.51.100.1, for="[fd00::2]:80"', '198.51.100.1'],
    ['an IPv6 address by its prefix', 'for="[2001:db8::1]:4711"', '2001:db8::/56'],
    ['the last good one before a hidden one', 'for=_hidden, for=10.2.3.4', '10.2.3.4'],
    ['the peer, when the nearest is hidden', 'for=6.6.6.6, for=unknown', '10.0.0.1'],
    ['the peer, when it is malformed', 'for="6.6.6.6, for=198.51.100.1', '10.0.0.1'],
  ])('takes %s from Forwarded', (_case, forwarded, key) => {
    expect(keyOf(from('10.0.0.1', undefined, forwarded))).toBe(key);
  });

  it('believes two headers that agree, and neither when they disagree: one is the work of the caller', () => {
    expect(keyOf(from('10.0.0.1', '198.51.100.1', 'for="198.51.100.1:80"'))).toBe('198.51.100.1');
    expect(keyOf(from('10.0.0.1', '198.51.100.1', 'for=6.6.6.6'))).toBe('10.0.0.1');
    expect(keyOf(from('10.0.0.1', '6.6.6.6', 'for=198.51.100.1'))).toBe('10.0.0.1');
    expect(keyOf(from('10.0.0.1', '198.51.100.1', 'nonsense'))).toBe('10.0.0.1');
  });

  it('counts a thousand spoofed callers as one, peer and proxy alike', () => {
    const spoofs = Array.from({ length: 1_000 }, (_, i) => `6.6.${i >> 8}.${i & 255}`);
    expect(new Set(spoofs.map((spoof) => keyOf(from('203.0.113.7', spoof, `for=${spoof}`)))).size).toBe(1);
    expect(new Set(spoofs.map((spoof) => keyOf(from('10.0.0.1', `${spoof}, 198.51.100.1`)))).size).toBe(1);
  });

  it('trusts a proxy that is given as an address mapped into IPv6', () => {
    const mapped = createAddressKey({ trustedProxies: ['::ffff:10.0.0.0/104'] });
    expect(mapped(from('10.0.0.1', '198.51.100.1'))).toBe('198.51.100.1');
    expect(mapped(from('11.0.0.1', '198.51.100.1'))).toBe('11.0.0.1');
  });

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8/8', '', 'fe80::1%eth0'])(
    'refuses "%s"',
    (entry) => {
      expect(() => createAddressKey({ trustedProxies: [entry] })).toThrow(RangeError);
    },
  );
});
