import { ipKeyGenerator } from 'express-rate-limit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { addressKey, createAddressKey, createClientAddress, parseForwardedHeader } from './address-key.ts';

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
    ['a connection that is already closed', undefined, 'unknown'],
  ])('names %s', (_case, remoteAddress, key) => {
    expect(addressKey(from(remoteAddress))).toBe(key);
  });

  it('ignores forwarded headers by default', () => {
    expect(addressKey(from('203.0.113.7', '198.51.100.1', 'for=198.51.100.1'))).toBe('203.0.113.7');
  });

  it('returns the same key throughout a connection', () => {
    const req = from('2001:db8::1');
    expect([addressKey(req), addressKey(req)]).toEqual(['2001:db8::/56', '2001:db8::/56']);
  });
});

describe('createAddressKey with trusted proxies', () => {
  const keyOf = createAddressKey({ trustedProxies: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'] });

  it.each([
    ['the entry that a trusted proxy added', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'the nearest untrusted entry of a chain, after any others',
      '10.0.0.1',
      '6.6.6.6, 198.51.100.1, 10.2.3.4',
      '198.51.100.1',
    ],
    ['the peer, when it is not trusted', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['the outermost entry when all are trusted', '10.0.0.1', '10.9.9.9, 192.0.2.1', '10.9.9.9'],
    ['the last valid entry before an invalid one', '10.0.0.1', 'unknown, 10.2.3.4', '10.2.3.4'],
    ['an entry with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 entry with brackets and port', 'fd00::1', '[2001:db8::1]:443', '2001:db8::/56'],
    ['a trusted peer that is mapped into IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the trusted peer itself when it sends no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['an address mapped into IPv6 as IPv4', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['an address without its zone', '10.0.0.1', 'fe80::1%eth1', 'fe80::/56'],
    ['an address in quotes', '10.0.0.1', '"[2001:db8::1]:443"', '2001:db8::/56'],
    ['the peer, when the nearest entry is invalid', '10.0.0.1', '6.6.6.6, 1.2.3', '10.0.0.1'],
    ['the peer, when the header is empty', '10.0.0.1', '', '10.0.0.1'],
    ['the peer, when the entry is an ambiguous IPv4 spelling', '10.0.0.1', '010.0.0.1', '10.0.0.1'],
  ])('takes %s', (_case, peer, forwarded, key) => {
    expect(keyOf(from(peer, forwarded))).toBe(key);
  });

  it('ignores entries that the client wrote itself', () => {
    for (let i = 0; i < 1_000; i++) {
      expect(keyOf(from('10.0.0.1', `${'1.1.1.1, '.repeat(i % 200)}${i}.0.0.1, 198.51.100.1`))).toBe('198.51.100.1');
    }
  });

  it('skips any number of trusted proxies', () => {
    const proxies = Array.from({ length: 30 }, (_, i) => `10.0.1.${i}`).join(', ');
    expect(keyOf(from('10.0.0.1', `6.6.6.6, 198.51.100.1, ${proxies}`))).toBe('198.51.100.1');
  });

  it.each([
    ['the client', 'for=198.51.100.1;proto=https', '198.51.100.1'],
    ['the nearest untrusted entry of a chain', 'for=6.6.6.6, for=198.51.100.1, for="[fd00::2]:80"', '198.51.100.1'],
    ['an IPv6 address by its prefix', 'for="[2001:db8::1]:4711"', '2001:db8::/56'],
    ['the last valid entry before a hidden one', 'for=_hidden, for=10.2.3.4', '10.2.3.4'],
    ['the peer, when the nearest entry is hidden', 'for=6.6.6.6, for=unknown', '10.0.0.1'],
    ['the peer, when the header is malformed', 'for="6.6.6.6, for=198.51.100.1', '10.0.0.1'],
  ])('takes %s from Forwarded', (_case, forwarded, key) => {
    expect(keyOf(from('10.0.0.1', undefined, forwarded))).toBe(key);
  });

  it('uses two headers that agree, and neither when they disagree', () => {
    expect(keyOf(from('10.0.0.1', '198.51.100.1', 'for="198.51.100.1:80"'))).toBe('198.51.100.1');
    expect(keyOf(from('10.0.0.1', '198.51.100.1', 'for=6.6.6.6'))).toBe('10.0.0.1');
    expect(keyOf(from('10.0.0.1', '6.6.6.6', 'for=198.51.100.1'))).toBe('10.0.0.1');
    expect(keyOf(from('10.0.0.1', '198.51.100.1', 'nonsense'))).toBe('10.0.0.1');
  });

  it('returns one key for a thousand spoofed headers, from a peer and through a proxy', () => {
    const spoofs = Array.from({ length: 1_000 }, (_, i) => `6.6.${i >> 8}.${i & 255}`);
    expect(new Set(spoofs.map((spoof) => keyOf(from('203.0.113.7', spoof, `for=${spoof}`)))).size).toBe(1);
    expect(new Set(spoofs.map((spoof) => keyOf(from('10.0.0.1', `${spoof}, 198.51.100.1`)))).size).toBe(1);
  });

  it('trusts a proxy that is configured as an address mapped into IPv6', () => {
    const mapped = createAddressKey({ trustedProxies: ['::ffff:10.0.0.0/104'] });
    expect(mapped(from('10.0.0.1', '198.51.100.1'))).toBe('198.51.100.1');
    expect(mapped(from('11.0.0.1', '198.51.100.1'))).toBe('11.0.0.1');
  });

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8/8', '', 'fe80::1%eth0'])(
    'rejects "%s"',
    (entry) => {
      expect(() => createAddressKey({ trustedProxies: [entry] })).toThrow(RangeError);
    },
  );
});

describe('createClientAddress', () => {
  const trusting = createClientAddress({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'] });
  const direct = createClientAddress({});

  it.each([
    ['IPv4 as it is', '203.0.113.7', '203.0.113.7'],
    ['IPv4 mapped into IPv6 as IPv4', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the same in hexadecimal', '0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7'],
    ['the whole IPv6 address in one spelling', '2001:0DB8:0::0001', '2001:db8::1'],
    ['a link-local address without its zone', 'fe80::1%eth0', 'fe80::1'],
    ['no address for a connection that is already closed', undefined, undefined],
  ])('names %s', (_case, peer, address) => {
    expect(direct(from(peer, '6.6.6.6', 'for=6.6.6.6'))).toBe(address);
    expect(trusting(from(peer, '6.6.6.6', 'for=6.6.6.6'))).toBe(address);
  });

  it.each([
    ['the entry that a trusted proxy added', '6.6.6.6, ::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['two headers that agree in other spellings', '::FFFF:198.51.100.1', 'for="198.51.100.1:80"', '198.51.100.1'],
    ['the peer for two addresses of one subscriber that disagree', '2001:db8::1', 'for="[2001:db8::2]"', '10.0.0.1'],
    ['the peer for an entry that is no address', 'localhost', undefined, '10.0.0.1'],
  ])('takes %s', (_case, list, forwarded, address) => {
    expect(trusting(from('10.0.0.1', list, forwarded))).toBe(address);
  });
});

describe('the key of an address', () => {
  const keyOf = (address: string) => addressKey(from(address));

  it('groups addresses exactly as express-rate-limit does', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(keyOf(address)).toBe(ipKeyGenerator(address));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for every spelling of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const spellings = [
          address,
          `::ffff:${address}`,
          `::FFFF:${hex}`,
          `0:0:0:0:0:ffff:${hex}`,
          `0:0::0:ffff:${address}`,
        ];
        expect(new Set(spellings.map(keyOf))).toEqual(new Set([address]));
      }),
    );
  });

  it('is the same for all addresses of a subscriber and differs for the next one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.nat(0xff), (groups, low) => {
        const textOf = (list: readonly number[]) => list.map((group) => group.toString(16)).join(':');
        const own = groups.with(0, 0x2001);
        const sibling = own.with(3, ((own[3] as number) & 0xff00) | low).with(7, 1);
        const neighbour = own.with(3, (own[3] as number) ^ 0x100);
        expect(keyOf(textOf(sibling))).toBe(keyOf(textOf(own)));
        expect(keyOf(textOf(neighbour))).not.toBe(keyOf(textOf(own)));
      }),
    );
  });
});

describe('parseForwardedHeader', () => {
  it.each([
    ['for=192.0.2.60', ['192.0.2.60']],
    ['for=192.0.2.60;proto=http;by=203.0.113.43', ['192.0.2.60']],
    ['proto=http; For="[2001:db8:cafe::17]:4711"', ['[2001:db8:cafe::17]:4711']],
    ['for=192.0.2.43, for=198.51.100.17', ['192.0.2.43', '198.51.100.17']],
    ['for=192.0.2.43,for="[2001:db8::1]",for=unknown', ['192.0.2.43', '[2001:db8::1]', 'unknown']],
    ['for=_hidden, proto=https', ['_hidden', '']],
    ['for="a\\"b,c;d"', ['a"b,c;d']],
    ['for=192.0.2.43:4711', ['192.0.2.43:4711']],
    [', for=192.0.2.43 ,, ;by=x', ['192.0.2.43', '']],
    ['', []],
  ])('reads %s', (text, clients) => {
    expect(parseForwardedHeader(text)).toEqual(clients);
  });

  it.each([
    'for="192.0.2.43',
    'for="6.6.6.6, for=192.0.2.43',
    'for=6.6.6.6;x=", for="[2001:db8::1]:80"',
    'for=192.0.2.43 6.6.6.6',
    'for=192.0.2.43;for=6.6.6.6',
    'for',
    '192.0.2.43',
    'for=192.0.2.43;by=',
    'for =192.0.2.43',
    'for=a\tb',
  ])('returns undefined for %s', (text) => {
    expect(parseForwardedHeader(text)).toBeUndefined();
  });

  it('returns the entry of the proxy last, after any entries of the client', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.constantFrom('for=192.0.2.43', 'for="[2001:db8::1]:80"'),
        (own, added) => {
          const clients = parseForwardedHeader(`${own}, ${added}`);
          if (clients !== undefined) expect(clients.at(-1)).toBe(added.slice(4).replaceAll('"', ''));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('parses a hostile header of 16,000 characters within 50 ms', () => {
    for (const text of [
      'for="\\'.repeat(4_000),
      ' \t'.repeat(8_000),
      `for=${'a'.repeat(16_000)}"`,
      ';,'.repeat(8_000),
    ]) {
      expect(leastCpuMs(() => parseForwardedHeader(text), { msMax: 50 })).toBeLessThan(50);
    }
  });
});
