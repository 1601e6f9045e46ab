import { BlockList, isIP, isIPv6 } from 'node:net';

/** Returns whether an address, in any spelling, belongs to a trusted proxy. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * Returns a test of addresses against a list of addresses and CIDR blocks. IPv4 addresses mapped into IPv6 match IPv4.
 * @throws RangeError for an entry that is neither
 */
export function createProxyTrust(trustedProxies: readonly string[]): IsTrustedProxy {
  const list = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bitsMax = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || !(prefix <= bitsMax)) {
      throw new RangeError(`"${entry}" is neither an address nor a CIDR block such as 10.0.0.0/8.`);
    }
    list.addSubnet(address, prefix, family);
  }
  if (trustedProxies.length === 0) return () => false;
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** One pair and its separator. Values with a colon must be quoted, but some proxies omit the quotes. */
const pair = new RegExp(`[ \\t]*(${token})=(?:([^\\s;,"]+)|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*([;,]|$)`, 'y');
const gap = /[ \t]*([;,]|$)/y;

/**
 * Returns the `for` value of each element of a `Forwarded` header (RFC 7239, section 4), nearest proxy last, and an
 * empty string for an element without one. Undefined when any part of the header is malformed.
 */
export function parseForwardedHeader(text: string): readonly string[] | undefined {
  const clients: string[] = [];
  let client: string | undefined;
  let hasPair = false;
  for (let at = 0; at < text.length; ) {
    pair.lastIndex = at;
    const found = pair.exec(text);
    gap.lastIndex = at;
    const end = found ?? gap.exec(text);
    if (end === null) return undefined;
    if (found !== null) {
      hasPair = true;
      if (found[1]?.toLowerCase() === 'for') {
        if (client !== undefined) return undefined;
        client = found[2] ?? (found[3] as string).replaceAll(/\\(.)/g, '$1');
      }
    }
    at += end[0].length;
    const separator = found === null ? end[1] : found[4];
    if (separator === ';') continue;
    if (hasPair) clients.push(client ?? '');
    client = undefined;
    hasPair = false;
  }
  // A separator at the end announces another pair.
  return hasPair ? undefined : clients;
}
