import type { IncomingMessage } from 'node:http';
import { isIP, type Socket, SocketAddress } from 'node:net';
import { createAddressList } from '@rostergate/server/edge';
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
  if (trustedProxies.length > 0) {
    const read = createAddressReader(trustedProxies, addressPrefix);
    return (req) => read(req) ?? 'unknown';
  }
  const keys = new WeakMap<object, string>();
  return ({ socket }) => {
    const address = socket.remoteAddress;
    if (address !== undefined && !address.includes(':')) return address;
    let key = keys.get(socket);
    if (key === undefined) {
      if (address === undefined) return 'unknown';
      key = addressPrefix(address);
      keys.set(socket, key);
    }
    return key;
  };
}

/**
 * Returns the function that reads the whole address of a request's client, in one spelling, by the same rules. Undefined
 * when the connection is already closed.
 * @throws RangeError for a trusted proxy that is neither an address nor a CIDR block
 */
export function createClientAddress({
  trustedProxies = [],
}: AddressKeyOptions): (req: RequestWithAddress) => string | undefined {
  if (trustedProxies.length > 0) return createAddressReader(trustedProxies, canonicalAddress);
  return ({ socket }) => (socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress));
}

/** Returns the address without zone; IPv4 that is mapped into IPv6 as IPv4. */
function canonicalAddress(address: string): string {
  if (!address.includes(':')) return address;
  const { address: text } = new SocketAddress({ address, family: 'ipv6' });
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice('::ffff:'.length) : text;
}

/** Reads the address behind trusted proxies, in the spelling of `spell`. */
function createAddressReader(
  trustedProxies: readonly string[],
  spell: (address: string) => string,
): (req: RequestWithAddress) => string | undefined {
  const isTrusted = createAddressList(trustedProxies);
  const peers = new WeakMap<object, Peer>();
  const peerOf = (socket: RequestWithAddress['socket']): Peer | undefined => {
    let peer = peers.get(socket);
    const address = socket.remoteAddress;
    if (peer === undefined && address !== undefined) {
      peer = { key: spell(address), isTrusted: isTrusted(address) };
      peers.set(socket, peer);
    }
    return peer;
  };
  const clientOf = (chain: readonly string[], peer: Peer): string => {
    const client = findClient(chain, isTrusted);
    return client === undefined ? peer.key : spell(client);
  };
  return ({ headers, socket }) => {
    const peer = peerOf(socket);
    if (peer === undefined) return undefined;
    const list = headers['x-forwarded-for'];
    const { forwarded } = headers;
    if (!peer.isTrusted || (list === undefined && forwarded === undefined)) return peer.key;
    const byList = list === undefined ? undefined : clientOf(splitList(String(list)), peer);
    if (forwarded === undefined) return byList as string;
    const byForwarded = clientOf(parseForwardedHeader(forwarded) ?? [], peer);
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

/** Returns the first address, from the nearest proxy outwards, that is not a trusted proxy's. */
function findClient(chain: readonly string[], isTrusted: IsTrustedProxy): string | undefined {
  let client: string | undefined;
  for (let i = chain.length - 1; i >= 0; i--) {
    const address = addressOf((chain[i] as string).trim());
    if (address === undefined) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client;
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
