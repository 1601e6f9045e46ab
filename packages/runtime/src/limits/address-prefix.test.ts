import { ipKeyGenerator } from 'express-rate-limit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressPrefix } from './address-prefix.ts';

describe('addressPrefix', () => {
  it('puts together exactly what express-rate-limit, which is much slower, does', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        // Written as IPv4 without being mapped: long deprecated, and seen nowhere.
        fc.pre(!/^(::|[0:]+:)[\d.]+$/.test(address));
        expect(addressPrefix(address)).toBe(ipKeyGenerator(address));
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
        expect(new Set(spellings.map(addressPrefix))).toEqual(new Set([address]));
      }),
    );
  });

  it('is one for all addresses of a subscriber and another for the next one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.nat(0xff), (groups, low) => {
        const textOf = (list: readonly number[]) => list.map((group) => group.toString(16)).join(':');
        const own = groups.with(0, 0x2001);
        const sibling = own.with(3, ((own[3] as number) & 0xff00) | low).with(7, 1);
        const stranger = own.with(3, (own[3] as number) ^ 0x100);
        expect(addressPrefix(textOf(sibling))).toBe(addressPrefix(textOf(own)));
        expect(addressPrefix(textOf(stranger))).not.toBe(addressPrefix(textOf(own)));
      }),
    );
  });
});
