import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Returns a test of addresses against a list of addresses and CIDR blocks. IPv4 addresses mapped into IPv6 match IPv4.
 * @throws RangeError for an entry that is neither
 */
export function createAddressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bitsMax = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || !(prefix <= bitsMax)) {
      throw new RangeError(`"${entry}" is neither an address nor a CIDR block such as 10.0.0.0/8.`);
    }
    list.addSubnet(address, prefix, family);
  }
  if (entries.length === 0) return () => false;
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
