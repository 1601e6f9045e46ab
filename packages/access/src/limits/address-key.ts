import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

export interface AddressKeyOptions {
  /** Addresses and CIDR blocks of the proxies whose forwarded headers are trusted; none by default. */
  readonly trustedProxies?: readonly string[];
}

type RequestWithAddress = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<Socket, 'remoteAddress'> };

/** The other end of a connection, computed once for all its requests. */
interface Peer {
  readonly key: string;
  readonly isTrusted: boolean;
}

/**
 * Returns the function that names the address a request is charged to: IPv4 as it is, also when it is mapped into IPv6,
 * and IPv6 by its /56, which is what one subscriber has.
 *
 * The entries of `X-Forwarded-For` or `Forwarded` (RFC 7239) count from the nearest outwards, up to the first address
 * that is not a trusted proxy's. Proxies write one of the two headers and pass the other on. When both are present and
 * disagree, the client wrote one of them, and the request is charged to the proxy.
 * @throws RangeError for a trusted proxy that is neither an address nor a CIDR block
 */
export function createAddressKey({ trustedProxies = [] }: AddressKeyOptions = {}): (req: RequestWithAddress) => string {
  const isTrusted = createProxyTrust(trustedProxies);
  const peers = new WeakMap<object, Peer>();
  const peerOf = (socket: RequestWithAddress['socket']): Peer | undefined => {
    let peer = peers.get(socket);
    const address = socket.remoteAddress;
    if (peer === undefined && address !== undefined) {
      peer = { key: addressPrefix(address), isTrusted: isTrusted(address) };
      peers.set(socket, peer);
    }
    return peer;
  };
  if (trustedProxies.length === 0) {
    return ({ socket }) => {
      const address = socket.remoteAddress;
      return address === undefined || address.includes(':') ? (peerOf(socket)?.key ?? 'unknown') : address;
    };
  }
  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    if (peer === undefined) return 'unknown';
    const list = headers['x-forwarded-for'];
    const { forwarded } = headers;
    if (!peer.isTrusted || (list === undefined && forwarded === undefined)) return peer.key;
    const byList = list === undefined ? undefined : clientKeyOf(splitList(String(list)), peer, isTrusted);
    if (forwarded === undefined) return byList as string;
    const byForwarded = clientKeyOf(parseForwardedHeader(forwarded) ?? [], peer, isTrusted);
    return byList === undefined || byList === byForwarded ? byForwarded : peer.key;
  };
}

/** Returns the address key where no proxy is trusted: forwarded headers are ignored. */
export const addressKey = createAddressKey();

/** Trusted proxies write only the nearest entries; the client wrote the rest of a longer list. */
const listCharactersMax = 1024;

function splitList(text: string): readonly string[] {
  if (text.length <= listCharactersMax) return text.split(',');
  return text.slice(-listCharactersMax).split(',').slice(1);
}

/** Returns the key of the first address, from the nearest proxy outwards, that is not a trusted proxy's. */
function clientKeyOf(chain: readonly string[], peer: Peer, isTrusted: IsTrustedProxy): string {
  let client: string | undefined;
  for (let i = chain.length - 1; i >= 0; i--) {
    const address = addressOf((chain[i] as string).trim());
    if (address === undefined) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client === undefined ? peer.key : addressPrefix(client);
}

/** Returns an entry's address without brackets and port (`203.0.113.7:443`, `[2001:db8::1]:443`). */
function addressOf(entry: string): string | undefined {
  if (isIP(entry) !== 0) return entry;
  const bare = /^"?\[([^\]]+)\](?::[\w.-]+)?"?$/.exec(entry)?.[1] ?? /^"?([^:"]+)(?::[\w.-]+)?"?$/.exec(entry)?.[1];
  return bare !== undefined && isIP(bare) !== 0 ? bare : undefined;
}

/** The keys of recent IPv6 addresses: computing one takes about 12 µs, a third of a request. */
const recentKeys = new Map<string, string>();
const recentKeysMax = 500;

/**
 * Returns the part of a valid address that one subscriber has, in one spelling: IPv4 as it is, also when it is mapped
 * into IPv6, and IPv6 by its /56 without zone.
 */
function addressPrefix(address: string): string {
  if (!address.includes(':')) return address;
  let key = recentKeys.get(address);
  if (key === undefined) {
    key = ipKeyGenerator(address, 56);
    if (recentKeys.size >= recentKeysMax) recentKeys.clear();
    recentKeys.set(address, key);
  }
  return key;
}

/** Returns whether an address, in any spelling, belongs to a trusted proxy. */
type IsTrustedProxy = (address: string) => boolean;

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
