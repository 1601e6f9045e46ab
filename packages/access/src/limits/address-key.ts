import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { createProxyTrust, type IsTrustedProxy, parseForwardedHeader } from './trusted-proxies.ts';

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

/**
 * Returns the part of a valid address that one subscriber has, in one spelling: IPv4 as it is, also when it is mapped
 * into IPv6, and IPv6 by its /56 without zone.
 */
export function addressPrefix(address: string): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address);
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  if ((a | b | c | d | e) === 0 && f === 0xffff) return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  const prefix = [a, b, c, d & 0xff00];
  while (prefix.at(-1) === 0) prefix.pop();
  return `${prefix.map((group) => group.toString(16)).join(':')}::/56`;
}

/** Returns the eight groups of an IPv6 address, whose last two may be written as IPv4. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = (address.split('%', 1)[0] as string).split('::');
  const first = parseGroups(head);
  if (tail === undefined) return first;
  const last = parseGroups(tail);
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function parseGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
