import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

export interface AddressKeyOptions {
  /** Addresses and CIDR blocks of the proxies whose `X-Forwarded-For` is believed; none by default. */
  readonly trustedProxies?: readonly string[];
}

type Addressed = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<Socket, 'remoteAddress'> };

/**
 * Makes the function that names the address a request is charged to: IPv6 by its /56, which is what one subscriber
 * has, and an IPv4 address mapped into IPv6 as the IPv4 address, however it is spelled.
 * @throws RangeError for a trusted proxy that is neither an address nor a CIDR block.
 */
export function createAddressKey({ trustedProxies = [] }: AddressKeyOptions = {}): (req: Addressed) => string {
  const trusted = createBlockList(trustedProxies);
  // A connection has one address: its IPv6 prefix is worked out once, not for each request.
  const prefixes = new WeakMap<object, string>();
  const keyOfSocket = (socket: Addressed['socket']): string => {
    const address = socket.remoteAddress;
    if (address === undefined) return 'unknown';
    if (!address.includes(':')) return address;
    let prefix = prefixes.get(socket);
    if (prefix === undefined) {
      prefix = ipKeyGenerator(address);
      prefixes.set(socket, prefix);
    }
    return prefix;
  };
  if (trustedProxies.length === 0) return ({ socket }) => keyOfSocket(socket);
  return ({ headers, socket }) => {
    const peer = socket.remoteAddress;
    const forwarded = headers['x-forwarded-for'];
    if (peer === undefined || forwarded === undefined || !isTrusted(trusted, peer)) return keyOfSocket(socket);
    return ipKeyGenerator(callerOf(String(forwarded), peer, trusted));
  };
}

/**
 * Makes the test whether an address is a trusted proxy's.
 * @throws RangeError as above.
 */
export function createProxyTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = createBlockList(trustedProxies);
  return (address) => trustedProxies.length > 0 && isTrusted(trusted, address);
}

/** The address key where no proxy is trusted: forwarded headers count for nothing. */
export const addressKey = createAddressKey();

/** Walks the chain from the nearest proxy outwards: the first address that no trusted proxy has is the caller's. */
function callerOf(forwarded: string, peer: string, trusted: BlockList): string {
  let caller = peer;
  // Only the nearest entries can have been written by trusted proxies; a long list is the work of the caller.
  for (const entry of forwarded.slice(-1024).split(',').reverse()) {
    const address = addressOf(entry.trim());
    if (address === undefined) return caller;
    caller = address;
    if (!isTrusted(trusted, address)) return caller;
  }
  return caller;
}

/** An entry's address without brackets and port (`203.0.113.7:443`, `[2001:db8::1]:443`). */
function addressOf(entry: string): string | undefined {
  if (isIP(entry) !== 0) return entry;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([^:]+):\d+$/.exec(entry)?.[1];
  return bare !== undefined && isIP(bare) !== 0 ? bare : undefined;
}

function isTrusted(trusted: BlockList, address: string): boolean {
  return trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function createBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bitsMax = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (isIP(address) === 0 || rest.length > 0 || !(prefix <= bitsMax)) {
      throw new RangeError(`"${entry}" is neither an address nor a CIDR block such as 10.0.0.0/8.`);
    }
    list.addSubnet(address, prefix, family);
  }
  return list;
}
